// The editor: CodeMirror with the page's colours, and a gutter that shows what each line costs.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { cpp } from "@codemirror/lang-cpp";
import { rust } from "@codemirror/lang-rust";
import { HighlightStyle, StreamLanguage, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { fortran } from "@codemirror/legacy-modes/mode/fortran";
import { gas, gasArm } from "@codemirror/legacy-modes/mode/gas";
import { Compartment, EditorState, type Extension, RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  EditorView,
  GutterMarker,
  drawSelection,
  gutter,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

import type { Language } from "./state";

/** Cycles that the core waits for each line, by its number from 1. */
export type Costs = Map<number, number>;

export interface Editor {
  readonly element: HTMLElement;
  text(): string;
  setText(text: string): void;
  setLanguage(language: Language, isa: string): void;
  setCosts(costs: Costs): void;
  light(line: number | null): void;
  mark(line: number | null): void;
  focus(): void;
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.modifier], class: "tok-keyword" },
  { tag: [tags.comment, tags.lineComment, tags.blockComment], class: "tok-comment" },
  { tag: [tags.string, tags.number, tags.literal], class: "tok-literal" },
  { tag: [tags.typeName, tags.className], class: "tok-type" },
  { tag: [tags.variableName, tags.propertyName], class: "tok-name" },
  { tag: [tags.meta, tags.processingInstruction, tags.labelName], class: "tok-meta" },
]);

/** `isa`: of the core; `#` begins a comment on some and a number on others. */
function languageOf(language: Language, isa: string): Extension {
  if (language === "c" || language === "c++") return cpp();
  if (language === "rust") return rust();
  return StreamLanguage.define(language === "fortran" ? fortran : isa === "aarch64" ? gasArm : gas);
}

class Cost extends GutterMarker {
  constructor(
    readonly cycles: number,
    readonly share: number,
  ) {
    super();
  }

  override eq(other: Cost): boolean {
    return other.cycles === this.cycles && other.share === this.share;
  }

  override toDOM(): Node {
    const node = document.createElement("span");
    node.className = "cost";
    node.textContent = this.cycles.toFixed(2);
    node.style.setProperty("--heat", `${Math.round(10 + 60 * this.share)}%`);
    return node;
  }
}

/** Characters that come at once with no key. */
const PASTED = 20;

const newCosts = StateEffect.define<Costs>();
const newLit = StateEffect.define<number | null>();
const newFault = StateEffect.define<number | null>();

const costs = StateField.define<Costs>({
  create: () => new Map(),
  update(value, transaction) {
    for (const effect of transaction.effects) if (effect.is(newCosts)) return effect.value;
    return value;
  },
});

const costGutter = [
  costs,
  gutter({
    class: "cm-costs",
    lineMarker(view, line) {
      const known = view.state.field(costs);
      if (known.size === 0) return null;
      const value = known.get(view.state.doc.lineAt(line.from).number);
      if (value === undefined || value < 0.005) return null;
      return new Cost(value, value / Math.max(...known.values()));
    },
    lineMarkerChange: (update) => update.startState.field(costs) !== update.state.field(costs),
  }),
];

function lineMarks(effect: typeof newLit, classes: string): Extension {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(value, transaction) {
      for (const each of transaction.effects) {
        if (!each.is(effect)) continue;
        const builder = new RangeSetBuilder<Decoration>();
        if (each.value !== null && each.value >= 1 && each.value <= transaction.state.doc.lines) {
          const from = transaction.state.doc.line(each.value).from;
          builder.add(from, from, Decoration.line({ class: classes }));
        }
        return builder.finish();
      }
      return value.map(transaction.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

export function makeEditor(options: {
  parent: HTMLElement;
  text: string;
  language: Language;
  isa: string;
  /** `pasted`: more than a key gives. */
  changed: (text: string, pasted: boolean) => void;
  run: () => void;
}): Editor {
  const language = new Compartment();
  const nonce = document.querySelector<HTMLMetaElement>('meta[name="nonce"]')?.content ?? "";
  const view = new EditorView({
    parent: options.parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        EditorView.cspNonce.of(nonce),
        lineNumbers(),
        costGutter,
        lineMarks(newLit, "cm-lit"),
        lineMarks(newFault, "cm-fault"),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        indentUnit.of("    "),
        syntaxHighlighting(COLOURS),
        language.of(languageOf(options.language, options.isa)),
        EditorView.contentAttributes.of({ "aria-label": "Code", tabindex: "0" }),
        keymap.of([
          { key: "Mod-Enter", run: () => (options.run(), true) },
          // Tab is not among the keys: it leaves the editor, as it leaves every other field. Ctrl+] indents.
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          let most = 0;
          update.changes.iterChanges((_from, _to, _start, _end, inserted) => (most = Math.max(most, inserted.length)));
          options.changed(update.state.doc.toString(), most > PASTED);
        }),
      ],
    }),
  });
  return {
    element: view.dom,
    text: () => view.state.doc.toString(),
    setText(text) {
      if (text !== view.state.doc.toString()) view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    setLanguage: (next, isa) => view.dispatch({ effects: language.reconfigure(languageOf(next, isa)) }),
    setCosts: (next) => view.dispatch({ effects: newCosts.of(next) }),
    light: (line) => view.dispatch({ effects: newLit.of(line) }),
    mark: (line) => view.dispatch({ effects: newFault.of(line) }),
    focus: () => view.focus(),
  };
}
