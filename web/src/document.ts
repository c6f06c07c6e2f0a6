// The document that the server (and `analyze --format html`) hands to the page: schema corecast/1 with words.

export interface Share {
  cycles: number;
  percent: string;
  words: string;
  kind: "full" | "latency" | "port" | "retire" | "frontend";
  instruction: number | null;
}

export interface Bound {
  name: string;
  words: string;
  cycles: number;
  estimate: boolean;
}

export interface Column {
  label: string;
  ports: string[];
  total: number;
  limiting: boolean;
}

export interface Row {
  name: string;
  text: string;
  cells: number[];
  critical: string;
  carried: string;
  marks: string;
  latency: string;
  uops: string;
}

export interface Table {
  columns: Column[];
  /** Whether it is ports that limit; else the limiting ones are but the busiest. */
  binding: boolean;
  folded: boolean;
  uniform: boolean;
  unused: string[];
  marks: Record<string, string>;
  critical: string;
  carried: string;
  rows: Row[];
}

export interface GraphNode {
  x: number;
  y: number;
  label: string;
  critical: boolean;
  carried: boolean;
}

export interface GraphArrow {
  path: string;
  producer: number;
  consumer: number;
  distance: number;
  label: string;
  x: number;
  y: number;
  words: string;
  critical: boolean;
  carried: boolean;
}

export interface Graph {
  width: number;
  height: number;
  node_width: number;
  node_height: number;
  nodes: GraphNode[];
  arrows: GraphArrow[];
}

export interface Roofline {
  intensity: number;
  flops_per_cycle: number;
  compute: number | null;
  l1_bytes_per_cycle: number | null;
  memory_bytes_per_cycle: number | null;
}

export interface View {
  name: string;
  place: string;
  facts: string;
  noun: string;
  value: string;
  unknown: string;
  withheld: string;
  /** The widest vectors: `512 bits`, `scalable`, or nothing. */
  vectors: string;
  /** Lines of source files by place, `file:line`. */
  source: Record<string, string>;
  bottleneck?: string;
  method?: string;
  interval?: string;
  dependence?: string;
  alternatives?: string[];
  advice?: string[];
  upper?: string;
  time?: string;
  rates?: { words: string; value: string }[];
  bounds?: Bound[];
  reasons?: Share[];
  roofline?: Roofline | null;
  table?: Table;
  graph?: Graph | null;
  timeline?: { facts: string; reasons: string[]; rename: { held: boolean; reason: number }[] } | null;
}

export interface Uop {
  iteration: number;
  instruction: number;
  uop: number;
  port: string;
  eliminated: boolean;
  delivered: number;
  renamed: number;
  ready: number;
  dispatched: number;
  completed: number;
  retired: number;
  waited: string;
  from_iteration: number | null;
  from_instruction: number | null;
  resource: string;
}

export interface Cycle {
  occupancy: Record<string, number>;
  started: string[];
}

export interface Timeline {
  first_cycle: number;
  scheduler_delay: number;
  capacities: Record<string, number | null>;
  uops: Uop[];
  cycles: Cycle[];
}

export interface Instruction {
  line: number;
  text: string;
  form: string;
  matched_form: string;
  status: "known" | "derived" | "unknown";
  source: string;
  confidence: string;
  nearest_forms: string[];
  note: string;
  source_line: string;
}

export interface Chain {
  cycles: number;
  instructions: number[];
  instruction_cycles: number[];
  distance: number;
}

export interface Region {
  name: string;
  cycles_per_iteration: number | null;
  lower_bound: boolean;
  withheld: boolean;
  bottleneck: string | null;
  interval: { low: number; high: number } | null;
  bracket: { lower: number | null; expected: number | null; upper: number | null };
  frontend: {
    components: Record<string, number>;
    limiting: string;
    fused_uops: number;
    supplier: string;
  };
  loop_carried: Chain[];
  simulated: { stalls_by_instruction: number[]; timeline: Timeline | null } | null;
  limiting_ports: string[];
  assumptions: string[];
  instructions: Instruction[];
  warnings: string[];
  view: View;
}

export interface Report {
  title: string;
  facts: string;
  cpu: string;
  cpu_title: string;
  isa: string;
  version: string;
  regions: Region[];
  messages: string[];
  warnings: string[];
}

/** Cycles with two decimals, as all reports write them. */
export function cycles(value: number): string {
  return value.toFixed(2);
}
