"use strict";
// Timelines: a row a micro-op, its way through the stages as bars. Text is only ever set as text.
(() => {
  const space = document.querySelector("svg")?.namespaceURI; // every region has a graph
  const rowHeight = 16, label = 300, top = 34;
  const kinds = [
    ["t-queue", "waits for rename or the scheduler"], ["t-wait", "waits for an operand"],
    ["t-busy", "waits for a port or unit"], ["t-run", "executes"], ["t-done", "done, waits for retirement"],
    ["t-stall", "rename held up"],
  ];
  const details = document.getElementById("details");

  function make(name, attributes, text) {
    const node = document.createElementNS(space, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  }

  function show(event, facts) {
    const list = document.createElement("dl");
    for (const [name, value] of facts) {
      if (value === "") continue;
      list.append(Object.assign(document.createElement("dt"), { textContent: name }));
      list.append(Object.assign(document.createElement("dd"), { textContent: value }));
    }
    details.replaceChildren(list);
    details.hidden = false;
    const box = details.getBoundingClientRect();
    details.style.left = Math.max(4, Math.min(event.clientX + 16, innerWidth - box.width - 8)) + "px";
    const below = event.clientY + 18;
    details.style.top = Math.max(4, below + box.height > innerHeight ? event.clientY - box.height - 12 : below) + "px";
  }

  function waitsFor(data, uop) {
    const parts = [];
    if (uop.from_instruction !== null) {
      const from = data.rows[uop.from_instruction];
      const name = from ? from.name + "  " + from.text : "instruction " + uop.from_instruction;
      const what = uop.waited === "forwarding" ? "stored data of " : "operand from ";
      parts.push(what + data.noun + " " + name + " (iteration " + uop.from_iteration + ")");
    }
    if (uop.resource !== "") parts.push((uop.resource === uop.port ? "port " : "unit ") + uop.resource);
    return parts.join("; ") || "nothing";
  }

  function segments(data, uop) {
    const seen = Math.min(uop.renamed + data.delay, uop.ready);
    const out = [["t-queue", uop.delivered, uop.renamed]];
    if (uop.dispatched > uop.renamed) {
      out.push(["t-queue", uop.renamed, seen], ["t-wait", seen, uop.ready], ["t-busy", uop.ready, uop.dispatched]);
    }
    out.push(["t-run", uop.dispatched, uop.completed], ["t-done", uop.completed, uop.retired + 1]);
    return out.filter(([, from, to]) => to > from);
  }

  function draw(view, data, width) {
    const cycles = data.cycles.length;
    const height = top + data.uops.length * rowHeight + 4;
    const svg = make("svg", { width: label + cycles * width + 20, height, role: "img", "aria-label": "timeline" });
    const x = (cycle) => label + (cycle - data.first) * width;
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500].find((each) => each * width >= 40) || 1000;
    for (let cycle = 0; cycle <= cycles; cycle += step) {
      const at = label + cycle * width;
      svg.append(make("line", { x1: at, y1: 14, x2: at, y2: height, class: "grid" }));
      svg.append(make("text", { x: at + 2, y: 11 }, String(data.first + cycle)));
    }
    svg.append(make("text", { x: 4, y: 28 }, "rename"));
    data.cycles.forEach(([letter, reason], number) => {
      if (letter === ".") return;
      const at = { x: label + number * width, y: 18, width: Math.max(width - 0.5, 0.5), height: 12, class: "hit t-stall" };
      const bar = make("rect", at);
      bar.addEventListener("mousemove", (event) => show(event, [["cycle", data.first + number], ["rename", reason]]));
      bar.addEventListener("mouseleave", () => { details.hidden = true; });
      svg.append(bar);
    });
    data.uops.forEach((uop, number) => {
      const y = top + number * rowHeight;
      const row = data.rows[uop.instruction];
      const group = make("g", {});
      const name = "[" + uop.iteration + "," + row.name + "]" + (uop.uop ? "." + uop.uop : "");
      group.append(make("text", { x: 4, y: y + 12 }, (name + "  " + row.text).slice(0, 44)));
      for (const [kind, from, to] of segments(data, uop)) {
        const bar = { x: x(from), y: y + 2, width: Math.max((to - from) * width - 0.5, 0.5), height: rowHeight - 4 };
        group.append(make("rect", { ...bar, class: "hit " + kind }));
      }
      const events = ["delivered", "renamed", "ready", "dispatched", "completed", "retired"];
      const facts = [
        ["micro-op", name + "  " + row.text], ["port", uop.eliminated ? "none: eliminated" : uop.port || "none"],
        ["waits for", waitsFor(data, uop)], ...events.map((event) => [event, uop[event]]),
      ];
      group.addEventListener("mousemove", (event) => show(event, facts));
      group.addEventListener("mouseleave", () => { details.hidden = true; });
      svg.append(group);
    });
    view.replaceChildren(svg);
  }

  for (const place of document.querySelectorAll(".timeline")) {
    const data = JSON.parse(place.querySelector("script").textContent);
    const view = place.querySelector(".view");
    const keys = place.querySelector(".keys");
    for (const [kind, words] of kinds) {
      const box = document.createElement("span");
      box.className = kind;
      keys.append(box, words);
    }
    let width = Math.max(2, Math.min(14, 1000 / Math.max(1, data.cycles.length)));
    const zoom = (factor, at) => {
      const cycle = (view.scrollLeft + at - label) / width;
      width = Math.max(0.5, Math.min(60, width * factor));
      draw(view, data, width);
      view.scrollLeft = cycle * width + label - at;
    };
    for (const button of place.querySelectorAll("button")) {
      button.addEventListener("click", () => zoom(Number(button.dataset.zoom), view.clientWidth / 2));
    }
    view.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.25 : 0.8, event.clientX - view.getBoundingClientRect().left);
    }, { passive: false });
    draw(view, data, width);
  }
})();
