"""Native core of corecast: reading code, machine tables, analysis."""

from collections.abc import Mapping, Sequence


class RegisterUse:
    """One location that an operand touches."""

    @property
    def reg(self) -> int:
        """Location number (see register_name)."""

    @property
    def part(self) -> str:
        """full, low32, low16, low8 or high8."""

    @property
    def read(self) -> bool: ...

    @property
    def write(self) -> bool: ...

class Operand:
    """
    One operand: explicit ones count from 1, destination first; implicit ones are named.
    """

    @property
    def id(self) -> int: ...

    @property
    def name(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def implicit(self) -> bool: ...

    @property
    def read(self) -> bool: ...

    @property
    def write(self) -> bool: ...

    @property
    def registers(self) -> list[RegisterUse]: ...

class MemoryAccess:
    """One access to memory."""

    @property
    def base(self) -> int: ...

    @property
    def index(self) -> int: ...

    @property
    def segment(self) -> int: ...

    @property
    def vector_index(self) -> bool: ...

    @property
    def pc_relative(self) -> bool: ...

    @property
    def scale(self) -> int: ...

    @property
    def displacement(self) -> int: ...

    @property
    def symbol(self) -> str: ...

    @property
    def width_bytes(self) -> int:
        """0 where unknown or given by the vector length."""

    @property
    def read(self) -> bool: ...

    @property
    def write(self) -> bool: ...

    @property
    def write_back(self) -> str: ...

class AffineTerm:
    @property
    def reg(self) -> int: ...

    @property
    def coefficient(self) -> int: ...

class AffineValue:
    """
    A written register known as constant + sum of coefficient * old register.
    """

    @property
    def reg(self) -> int: ...

    @property
    def constant(self) -> int: ...

    @property
    def terms(self) -> list[AffineTerm]: ...

class Instruction:
    """One decoded instruction."""

    @property
    def text(self) -> str:
        """Canonical text (Intel syntax for x86)."""

    @property
    def mnemonic(self) -> str: ...

    @property
    def form(self) -> str:
        """Lookup key of machine models."""

    @property
    def alternative_forms(self) -> list[str]: ...

    @property
    def indexed(self) -> bool: ...

    @property
    def same_register(self) -> bool: ...

    @property
    def zero_immediate(self) -> bool: ...

    @property
    def unknown(self) -> bool:
        """Whether the text or bytes could not be read."""

    @property
    def operands(self) -> list[Operand]: ...

    @property
    def memory(self) -> list[MemoryAccess]: ...

    @property
    def affine(self) -> list[AffineValue]: ...

    @property
    def branch(self) -> str: ...

    @property
    def target(self) -> str: ...

    @property
    def target_address(self) -> int: ...

    @property
    def address(self) -> int: ...

    @property
    def length_bytes(self) -> int: ...

    @property
    def opcode_offset_bytes(self) -> int: ...

    @property
    def length_changing_prefix(self) -> bool: ...

    @property
    def immediate_bits(self) -> int: ...

    @property
    def immediate_bytes(self) -> int:
        """Of immediates as they are encoded (x86)."""

    @property
    def displacement_bytes(self) -> int:
        """Of the address as it is encoded (x86)."""

    @property
    def macro_prefix(self) -> bool: ...

    @property
    def line(self) -> int: ...

    @property
    def bytes(self) -> bytes: ...

    def __repr__(self) -> str: ...

class Label:
    @property
    def name(self) -> str: ...

    @property
    def index(self) -> int:
        """Position in Listing.instructions before which it stands."""

    @property
    def line(self) -> int: ...

class Data:
    """Bytes of data directives inside code."""

    @property
    def index(self) -> int: ...

    @property
    def line(self) -> int: ...

    @property
    def bytes(self) -> bytes: ...

class Problem:
    """What could not be read, and where (line of text, or byte offset)."""

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...

    @property
    def message(self) -> str: ...

    @property
    def fatal(self) -> bool:
        """Whether reading stopped here."""

class Listing:
    """Instructions in order, with labels, data and problems."""

    @property
    def instructions(self) -> list[Instruction]: ...

    @property
    def labels(self) -> list[Label]: ...

    @property
    def data(self) -> list[Data]: ...

    @property
    def problems(self) -> list[Problem]: ...

def assemble(isa: str, text: str, syntax: str = '') -> Listing:
    """
    Read assembly text; illegal lines become problems and unknown instructions.
    """

def disassemble(isa: str, code: bytes, address: int = 0, lines: Sequence[tuple[int, int]] = []) -> Listing:
    """
    Decode bytes; undecodable ones become problems and unknown instructions. `lines` are the offsets, in order, from
    which code stands on a line of some text.
    """

def demangle(symbol: str) -> str:
    r"""
    The readable name of a mangled symbol (C++, Rust); \'\' where it is not mangled or cannot be read.
    """

def mnemonics(isa: str) -> list[str]:
    """
    Every mnemonic of an instruction set, sorted; for x86 those of both syntaxes.
    """

def register_name(isa: str, reg: int) -> str:
    r"""Name of a location: 'rax', 'zf', 'x0', 'z3', 'v8'; \'\' for 0."""

def register_number(isa: str, name: str) -> int:
    """Number of a location, 0 where there is none of that name."""

llvm_version: str = '22.1.8'

class ScheduleResource:
    """A processor resource of LLVM's model: units, or a group."""

    @property
    def name(self) -> str: ...

    @property
    def units(self) -> int: ...

    @property
    def buffer_size(self) -> int: ...

    @property
    def members(self) -> list[str]:
        """Resources of a group; empty for a plain unit."""

class ScheduleUse:
    @property
    def resource(self) -> str: ...

    @property
    def cycles(self) -> float:
        """Cycles of occupancy, members of a group already subtracted."""

class ScheduleLatency:
    @property
    def destination(self) -> int:
        """Operand id, 0 for any."""

    @property
    def cycles(self) -> int: ...

class ScheduleAdvance:
    """Cycles by which a source may arrive later than issue."""

    @property
    def source(self) -> int: ...

    @property
    def from_any(self) -> int: ...

    @property
    def from_same(self) -> int: ...

class ScheduleEntry:
    """What LLVM's model says of one instruction."""

    @property
    def known(self) -> bool: ...

    @property
    def micro_ops(self) -> int: ...

    @property
    def latencies(self) -> list[ScheduleLatency]: ...

    @property
    def advances(self) -> list[ScheduleAdvance]: ...

    @property
    def uses(self) -> list[ScheduleUse]: ...

    @property
    def instruction(self) -> Instruction: ...

    @property
    def opcode(self) -> str: ...

class Schedule:
    """LLVM's scheduling model of one CPU."""

    def __init__(self, isa: str, cpu: str) -> None: ...

    @property
    def issue_width(self) -> int: ...

    @property
    def micro_op_buffer_size(self) -> int: ...

    @property
    def load_latency(self) -> int: ...

    @property
    def mispredict_penalty(self) -> int: ...

    @property
    def reorder_buffer_size(self) -> int: ...

    @property
    def retire_width(self) -> int: ...

    @property
    def resources(self) -> list[ScheduleResource]: ...

    def entry(self, code: bytes, lmul: str = '', element_bits: int = 0) -> ScheduleEntry:
        """What the model says of the instruction encoded in `code`."""

def scheduled_cpus(isa: str) -> list[tuple[str, int]]:
    """
    (CPU that LLVM has a scheduling model of, number of the model): CPUs of one number share one model.
    """

class EnumeratedForm:
    @property
    def form(self) -> str: ...

    @property
    def opcode(self) -> str:
        """LLVM's name of the opcode."""

    @property
    def requirements(self) -> list[int]:
        """What its encodings need, by number; one of them suffices."""

    @property
    def code(self) -> bytes: ...

def enumerate_forms(isa: str) -> list[EnumeratedForm]:
    """
    Every instruction form found by decoding varied encodings, each with an example. Takes some seconds.
    """

def enumerate_opcodes(isa: str) -> list[EnumeratedForm]:
    """
    Every opcode of LLVM's found by decoding varied encodings, each with an example. Takes some seconds.
    """

class OpcodeTest:
    """A test of one operand of LLVM's MCInst."""

    @property
    def kind(self) -> str:
        """
        same_register, present_register, register_called, immediate, not_immediate or locked.
        """

    @property
    def operand(self) -> int:
        """Place in the MCInst."""

    @property
    def value(self) -> int:
        """The number that is asked for, or the place of the other register."""

    @property
    def name(self) -> str:
        """LLVM's name of the register that is asked for."""

class OpcodeCase:
    """An instruction of an opcode that a core may treat differently."""

    @property
    def tests(self) -> list[OpcodeTest]:
        """What it passes; none for the plain instruction."""

    @property
    def instruction(self) -> Instruction: ...

class OpcodeShape:
    """An opcode as LLVM's scheduling models see it."""

    @property
    def opcode(self) -> str:
        """LLVM's name."""

    @property
    def twins(self) -> list[str]:
        """Other names of the same instruction, for the compiler alone."""

    @property
    def writes(self) -> list[int]:
        """
        Operand ids of the explicit definitions, then of the implicit ones; 0 where none of ours.
        """

    @property
    def reads(self) -> list[int]:
        """
        Operand ids of the places behind the definitions, then of the implicit uses; 0 where none of ours.
        """

    @property
    def cases(self) -> list[OpcodeCase]:
        """
        The plain instruction first; of the others the first that passes counts.
        """

def opcode_shapes(isa: str) -> list[OpcodeShape]:
    """
    The shape of every opcode that some encoding decodes to, but for pseudo instructions. Takes some seconds.
    """

def has_opcode(isa: str, start: str) -> bool:
    """
    Whether the name of some opcode of LLVM's begins so, whatever the case.
    """

def cpu_features(isa: str, cpu: str) -> list[str]:
    """
    Features that LLVM gives a CPU, by LLVM's names; empty where it does not know the CPU.
    """

def extension_names(isa: str) -> list[str]:
    """Every ISA extension that some instruction needs, sorted."""

def extension_title(isa: str, name: str) -> str:
    """The name as people write it: AVX-512F for avx512f."""

def requirement(isa: str, instruction: Instruction) -> str:
    r"""
    What an instruction needs: 'avx512f avx512vl' both, 'sve|sme' one of them, \'\' nothing.
    """

def pipeline_faults(pipeline: dict[str, object]) -> list[tuple[str, str]]:
    """
    What is wrong with a parsed pipeline.toml: keys, with dots, and messages that name them.
    """

def forms_by_confidence(tables: Sequence[str]) -> dict[str, int]:
    """
    Forms by the confidence of the row that counts; tables: files, the first that has a key wins.
    """

def plain_toml(text: str) -> dict[str, object] | None:
    """
    As tomllib.loads where the text keeps to the plain part of TOML; None where it does not, or is wrong.
    """

class Machine:
    """
    Pipeline parameters and form tables of one core; safe to use from many threads.
    """

    def __init__(self, pipeline: dict[str, object], tables: Sequence[str], file: str = ...) -> None:
        """
        pipeline: a parsed pipeline.toml; tables: files of forms, the first that has a key wins; file: for messages.

        Raises: MachineModelError.
        """

    def variant(self, pipeline: dict[str, object], file: str = ...) -> Machine:
        """
        The same tables under other parameters; nothing is read again.

        Raises: MachineModelError.
        """

    @property
    def vector_bits(self) -> float:
        """Vector length (SVE, RVV) where the code does not fix it."""

    @property
    def rename_width(self) -> float:
        """Slots that rename hands on per cycle."""

    @property
    def access_cycles(self) -> tuple[float, float]:
        """
        Reciprocal throughput of a plain load and of a plain store's data, by their ports; 0 where these are not known.
        """

    @property
    def extensions(self) -> list[str] | None:
        """
        Extensions of the instruction set that the core has, sorted; None where the model does not list them.
        """

    def has_one_of(self, requirements: Sequence[int]) -> bool:
        """
        Whether the core has what one of these needs (EnumeratedForm.requirements).
        """

    def lacks(self, instruction: Instruction) -> str:
        r"""
        What the core lacks to execute an instruction, 'AVX-512F'; \'\' where it can, or nothing is known.
        """

    @property
    def name(self) -> str: ...

    @property
    def ports(self) -> list[str]: ...

    @property
    def units(self) -> list[str]: ...

    @property
    def integer_alu_ports(self) -> list[str]:
        """Ports that do integer arithmetic; none where the model does not say."""

    @property
    def vector_ports(self) -> list[str]:
        """Ports of the units for vectors; none where the model does not say."""

    @property
    def resources(self) -> list[str]:
        """Ports, then units: the columns of port pressure."""

    @property
    def pipeline_detail(self) -> str:
        """
        How much of the pipeline the model tells: widths, partial, most, full (every part that the simulator has).
        """

    @property
    def missing_for_simulation(self) -> list[str]:
        """
        What the model does not say and no simulation can do without, in words; empty: the core can be simulated.
        """

    @property
    def unlimited_in_simulation(self) -> list[str]:
        """
        Parts of unknown size, in words: they never hold up the simulated core.
        """

    def keys(self) -> list[str]:
        """Every form key, in the order of the files."""

    def check(self) -> list[str]:
        """Parse every row; 'file:line: message' for each malformed one."""

    def nearest_forms(self, form: str, count: int = 3) -> list[str]:
        """
        Known keys nearest to a form: the same mnemonic first, then others of the same operation.
        """

    def similar_forms(self, form: str, count: int = 3) -> list[str]:
        """Known keys spelled like a form."""

    def row(self, form: str) -> tuple[str, str, int] | None:
        """(row as it stands in its file, file, line), None where there is none."""

    def find(self, form: str) -> dict[str, object] | None:
        """The row of exactly this key as a dictionary, None where there is none."""

    def lookup(self, instruction: Instruction) -> tuple[str, dict[str, object] | None, str]:
        """(known | derived | unknown, row or None, how it was derived)."""

class Aliasing:
    """Which accesses through different registers meet."""

    @staticmethod
    def parse(machine: Machine, text: str) -> Aliasing:
        """
        'none', 'same' or pairs of registers as 'rdi=rsi,rbx=rax+8'.

        Raises: ValueError.
        """

    def conflict(self, machine: Machine, instructions: Sequence[Instruction]) -> str:
        r"""
        Why a pair of registers cannot stay equal in a region; \'\' where all can.
        """

class Meeting:
    """A store that a later load through other registers may read."""

    @property
    def store(self) -> int:
        """Instruction."""

    @property
    def load(self) -> int:
        """Instruction."""

    @property
    def distance(self) -> int:
        """Iterations."""

    @property
    def dependency_cycles(self) -> float:
        """Of the slowest loop-carried chain where they meet."""

    @property
    def aliasing(self) -> Aliasing:
        """The assumption that they meet."""

def worst_meeting(machine: Machine, instructions: Sequence[Instruction], unknown: str = 'bound') -> Meeting | None:
    """
    The meeting of a store with a later load through other registers that makes the slowest loop-carried chain; None where no such meeting is left open.
    """

class InstructionAnalysis:
    """What the analysis says of one instruction."""

    @property
    def status(self) -> str: ...

    @property
    def matched_form(self) -> str:
        r"""Key of the row that was used, \'\' where none."""

    @property
    def source(self) -> str: ...

    @property
    def confidence(self) -> str: ...

    @property
    def nearest(self) -> list[str]:
        """Unknown forms: the nearest known ones."""

    @property
    def fused_uops(self) -> float: ...

    @property
    def latency_cycles(self) -> float | None: ...

    @property
    def reciprocal_throughput_cycles(self) -> float | None:
        """
        Of the instruction alone: measured, else what its ports and units take; None where unknown.
        """

    @property
    def fused_first(self) -> bool: ...

    @property
    def fused_second(self) -> bool: ...

    @property
    def note(self) -> str: ...

class PortDistribution:
    """Cycles by instruction and port."""

    @property
    def pressure(self) -> tuple[tuple[float, ...], ...]:
        """One tuple per instruction."""

    @property
    def totals(self) -> list[float]: ...

    @property
    def bound(self) -> float: ...

    @property
    def limiting(self) -> list[int]:
        """Indices of the limiting ports."""

class FrontendResult:
    """Front-end bounds."""

    @property
    def bound(self) -> float: ...

    @property
    def components(self) -> dict[str, float]: ...

    @property
    def limiting(self) -> str: ...

    @property
    def fused_uops(self) -> float: ...

    @property
    def supplier(self) -> str: ...

class DependencyChain:
    """A chain of instructions and the cycles each adds."""

    @property
    def cycles(self) -> float: ...

    @property
    def distance(self) -> int: ...

    @property
    def instructions(self) -> list[int]: ...

    @property
    def instruction_cycles(self) -> list[float]: ...

class Analysis:
    """Static analysis of one region."""

    @property
    def instructions(self) -> list[InstructionAnalysis]: ...

    @property
    def balanced(self) -> PortDistribution: ...

    @property
    def uniform(self) -> PortDistribution: ...

    @property
    def ordered(self) -> PortDistribution | None:
        """
        As the core takes ports in program order, where what it took last decides: the bound is made of it.
        """

    @property
    def uniform_ports(self) -> bool:
        """
        Whether equal shares are what the ports' bound is made of: asked for, or since the core takes ports in turn.
        """

    @property
    def frontend(self) -> FrontendResult: ...

    @property
    def critical_path(self) -> DependencyChain: ...

    @property
    def loop_carried(self) -> list[DependencyChain]: ...

    @property
    def edges(self) -> list[tuple[int, int, float, int, str, str]]:
        """(producer, consumer, cycles, distance, kind, location)."""

    @property
    def bounds(self) -> dict[str, float]: ...

    @property
    def estimates(self) -> list[str]:
        """
        Names of the bounds that are right on average: a simulation may undercut them.
        """

    @property
    def proven_cycles(self) -> float:
        """What no order of events undercuts, in cycles per iteration."""

    @property
    def proven_throughput_cycles(self) -> float:
        """
        The same of ports and front end alone, as if every dependency were hidden.
        """

    @property
    def cycles_per_iteration(self) -> float: ...

    @property
    def bottleneck(self) -> str: ...

    @property
    def warnings(self) -> list[str]: ...

def analyze(machine: Machine, instructions: Sequence[Instruction], mode: str = 'loop', unknown: str = 'bound', start: int | None = None, uniform_ports: bool = False, aliasing: Aliasing | None = None, slots_before: int | None = None) -> Analysis:
    """
    Analyze instructions as one iteration. start: address of the first where alignment is known, else None; aliasing: which accesses through different registers meet, None: none; slots_before: as slots_before() says, None: guessed from the start.

    Raises: UnknownFormError (unknown='error'), MachineModelError.
    """

def slots_before(machine: Machine, instructions: Sequence[Instruction], end: int) -> int:
    """
    Slots of the uop cache's lines that code takes of the block of code in which the address behind it lies; what starts there goes on in the same line.

    Raises: MachineModelError.
    """

def too_many_unknown(unknown: int, instructions: int) -> bool:
    """Whether this many instructions without data are too many for a figure."""

MOST_UNKNOWN_SHARE: float = 0.3333333333333333

def predict(machine: Machine, instructions: Sequence[Instruction], mode: str = 'loop', unknown: str = 'bound', start: int | None = None) -> tuple[float, str, int, int, int]:
    """
    The bare prediction: (cycles per iteration, bottleneck, known, derived, unknown instructions).
    """

class BlockResults:
    """Results of a batch of blocks, in their order."""

    def __len__(self) -> int: ...

    @property
    def cycles(self) -> bytes:
        """
        Predicted cycles per iteration as the bytes of doubles; NaN where there is no prediction.
        """

    @property
    def lows(self) -> bytes:
        """
        Lower ends of the intervals, in cycles as the bytes of doubles; NaN where there is none.
        """

    @property
    def highs(self) -> bytes:
        """Upper ends, likewise."""

    @property
    def classes(self) -> list[int | None]:
        """What prediction_class() says of each block."""

    @property
    def bottlenecks(self) -> list[str]: ...

    @property
    def statuses(self) -> list[str]:
        """ok | bound | unknown | error."""

    def count(self, status: str) -> int:
        """Number of blocks of that status."""

    @property
    def mitigated(self) -> int:
        """
        Number of blocks with an instruction that a microcode mitigation slows.
        """

    def reasons(self) -> dict[int, str]:
        """By place in the batch, why a block has another status than ok."""

    def endings(self, bounds: bool = False) -> list[bytes]:
        """
        For each block ',predicted_cycles,low,high,bottleneck,status'; with `bounds` each bound's cycles follow, and, not simulated, the cycles were the bottleneck infinitely fast.
        """

class Predictor:
    """Predicts many encoded blocks; for one caller at a time."""

    def __init__(self, machine: Machine, mode: str = 'loop', method: str = 'bounds', jobs: int = 1, mitigations: Sequence[str] = [], intervals: Sequence[tuple[float, float]] = []) -> None:
        """
        jobs: threads that work on a batch; mitigations: names of those that are on, for BlockResults.mitigated; intervals: by class, their ends as shares of the prediction.
        """

    def stop(self) -> None:
        """Ends a predict() that runs in another thread."""

    def predict(self, blocks: Sequence[object], addresses: Sequence[object] | None = None, bytes_are_text: bool = False, register_steps: Sequence[int] | None = None, codes_before: Sequence[object] | None = None) -> BlockResults:
        """
        blocks: hexadecimal digits (str), or code (bytes; digits too where bytes_are_text). addresses: where the code starts, a number or its digits; 0 without. Anything else is a block of status error. register_steps: of each block the bytes by which a general register's place in a line of the cache lies behind that of the register before, in the order of their encoding (x86; not the stack pointer), of blocks that were timed on memory that holds one address; without, registers point to starts of lines, and to what is not known. codes_before: the code that ends where each starts, spelt as the blocks are; empty where nothing is known of it.

        Raises: MachineModelError.
        """

def class_features() -> list[tuple[str, list[str]]]:
    """
    What the class of a prediction depends on, the most important first, with the values of each. The number of a class has their places as digits.
    """

def prediction_class(machine: Machine, instructions: Sequence[Instruction], mode: str, unknown: str, own_branch: bool, placed: bool, cycles: float, bottleneck: str) -> int | None:
    """
    The number of a prediction's class; None where an instruction has no data. own_branch: the code closes its loop itself. placed: it is known where it starts.

    Raises: UnknownFormError (unknown='error'), MachineModelError.
    """

def predicted_bounds() -> list[str]:
    """Names of the bounds, in the order of BlockResults.endings."""

def closing_branch(block: Sequence[Instruction]) -> list[Instruction]:
    """
    `dec` of a register that an x86 block leaves alone and `jnz` to its start; empty where all are taken.
    """

class Simulation:
    """What a simulation found, per iteration."""

    @property
    def cycles_per_iteration(self) -> float: ...

    @property
    def periodic(self) -> bool:
        """The pipeline's state was seen to repeat: the figure is exact."""

    @property
    def simulated_cycles(self) -> int: ...

    @property
    def measured_iterations(self) -> int: ...

    @property
    def span(self) -> tuple[int, int]:
        """The cycles at whose ends measuring began and ended."""

    @property
    def bottleneck(self) -> str: ...

    @property
    def stalls(self) -> dict[str, float]:
        """
        Cycles by what rename did or waited for; they add up to cycles_per_iteration.
        """

    @property
    def counters(self) -> dict[str, float]: ...

    @property
    def port_uops(self) -> list[float]:
        """Uops by port and unit of the machine."""

    @property
    def binding_ports(self) -> list[int]:
        """
        Ports that are taken all the time by uops that can run nowhere else, as indices of the machine's resources.
        """

    @property
    def unknown(self) -> int:
        """Instructions without data."""

def simulate(machine: Machine, instructions: Sequence[Instruction], mode: str = 'loop', start: int | None = 0, unknown: str = 'bound', span: tuple[int, int] = (0, 0), aliasing: Aliasing | None = None, slots_before: int | None = None) -> Simulation:
    """
    Simulate instructions as one iteration that is repeated. start: address of the first; None: its alignment is not known, so that it has no effects; span: the cycles to measure between, instead of until the state repeats; aliasing, slots_before: as for analyze().

    Raises: UnknownFormError (unknown='error'), MachineModelError.
    """

class StallShare:
    """Cycles per iteration that have one reason."""

    @property
    def cause(self) -> str: ...

    @property
    def full(self) -> str:
        r"""What had no room, \'\' for nothing."""

    @property
    def instruction(self) -> int | None:
        """Who is blamed."""

    @property
    def waiting(self) -> int | None:
        """The oldest instruction that was not done."""

    @property
    def resource(self) -> int | None:
        """Port or unit."""

    @property
    def cycles(self) -> float: ...

class TimelineUop:
    """A uop's way through the stages, in cycles since the start."""

    @property
    def iteration(self) -> int: ...

    @property
    def instruction(self) -> int: ...

    @property
    def uop(self) -> int:
        """Of the instruction, from 0."""

    @property
    def port(self) -> int | None: ...

    @property
    def eliminated(self) -> bool: ...

    @property
    def delivered(self) -> int: ...

    @property
    def renamed(self) -> int: ...

    @property
    def ready(self) -> int: ...

    @property
    def dispatched(self) -> int: ...

    @property
    def completed(self) -> int: ...

    @property
    def retired(self) -> int: ...

    @property
    def waited(self) -> str:
        r"""\'\', 'operand', 'port', 'unit' or 'forwarding': its longest wait."""

    @property
    def from_instruction(self) -> int | None:
        """Who made the value it waited for."""

    @property
    def from_iteration(self) -> int: ...

    @property
    def resource(self) -> int | None:
        """The port or unit that it waited for."""

class Occupancy:
    """Entries taken at the end of a cycle."""

    @property
    def uop_queue(self) -> int: ...

    @property
    def scheduler(self) -> int:
        """Of several: all of them together."""

    @property
    def reorder_buffer(self) -> int: ...

    @property
    def load_queue(self) -> int:
        """0 where it has no limit."""

    @property
    def store_queue(self) -> int:
        """0 where it has no limit."""

class TimelineCycle:
    """Why rename did not move a full group."""

    @property
    def cause(self) -> str: ...

    @property
    def full(self) -> str: ...

    @property
    def instruction(self) -> int | None: ...

    @property
    def resource(self) -> int | None: ...

    @property
    def occupancy(self) -> Occupancy: ...

    @property
    def started(self) -> list[int]:
        """
        Ports that a uop was dispatched to, as indices of the machine's resources.
        """

class Timeline:
    """Some iterations, uop by uop and cycle by cycle."""

    @property
    def first_iteration(self) -> int: ...

    @property
    def first_cycle(self) -> int: ...

    @property
    def scheduler_delay(self) -> int:
        """Cycles from rename until the scheduler sees a uop."""

    @property
    def uops(self) -> list[TimelineUop]: ...

    @property
    def cycles(self) -> list[TimelineCycle]:
        """From first_cycle on."""

    @property
    def cut(self) -> bool:
        """There would have been more."""

class Observation:
    """A simulation with the reason of each cycle."""

    @property
    def simulation(self) -> Simulation: ...

    @property
    def stalls(self) -> list[StallShare]:
        """They add up to cycles_per_iteration, largest first."""

    @property
    def timeline(self) -> Timeline: ...

def observe(machine: Machine, instructions: Sequence[Instruction], mode: str = 'loop', start: int | None = 0, unknown: str = 'bound', timeline: int = 0, timeline_from: int | None = None, aliasing: Aliasing | None = None, slots_before: int | None = None) -> Observation:
    """
    As simulate(), with the reason of each cycle. timeline: iterations to take down, from timeline_from on (None: in the steady state).

    Raises: UnknownFormError (unknown='error'), MachineModelError.
    """

class StartValues:
    """What registers and memory hold when a kernel starts."""

    def __init__(self) -> None: ...

    @property
    def memory(self) -> int:
        """Eight bytes that fill memory."""

    @memory.setter
    def memory(self, arg: int, /) -> None: ...

    @property
    def vector_bytes(self) -> int:
        """Vector registers are clean above: 16, 32 or 64."""

    @vector_bytes.setter
    def vector_bytes(self, arg: int, /) -> None: ...

    @property
    def mmx(self) -> bool:
        """Registers of MMX hold numbers, too: x87's stack is full."""

    @mmx.setter
    def mmx(self, arg: bool, /) -> None: ...

    @property
    def x87_depth(self) -> int:
        """Numbers on x87's stack."""

    @x87_depth.setter
    def x87_depth(self, arg: int, /) -> None: ...

    @property
    def stack(self) -> int:
        """What the stack pointer holds."""

    @stack.setter
    def stack(self, arg: int, /) -> None: ...

    @property
    def tiles(self) -> bool:
        """
        AMX's tiles are configured, and their rows hold the first vectors' numbers.
        """

    @tiles.setter
    def tiles(self, arg: bool, /) -> None: ...

    @property
    def flush_subnormals(self) -> bool:
        """SIMD takes subnormal numbers for 0."""

    @flush_subnormals.setter
    def flush_subnormals(self, arg: bool, /) -> None: ...

    def set_general(self, changes: Mapping[int, int]) -> None: ...

    def set_vector(self, changes: Mapping[int, int]) -> None:
        """Eight bytes each, repeated over the register."""

    def set_mask(self, changes: Mapping[int, int]) -> None: ...

class Estimate:
    """What samples together say, in cycles of the core for one execution."""

    @property
    def cycles(self) -> float: ...

    @property
    def low(self) -> float:
        """Quartiles of the samples that count."""

    @property
    def high(self) -> float: ...

    @property
    def kept(self) -> int: ...

    @property
    def interrupted(self) -> int: ...

    @property
    def unsteady(self) -> int:
        """Samples whose two references disagree."""

    @property
    def batches(self) -> int: ...

    @property
    def clustered(self) -> bool: ...

    @property
    def stable(self) -> bool: ...

    @property
    def ticks_per_cycle(self) -> float:
        """In the batch whose references ran fastest."""

    @property
    def witness_cycles(self) -> float:
        """
        The least that the witness took, which needs the whole width of the core.
        """

    @property
    def overhead_cycles(self) -> float:
        """
        What an iteration of the shorter unrolled loop takes beyond its copies, were all of them alike.
        """

    @property
    def at_known_rate(self) -> bool: ...

    @property
    def batch_cycles(self) -> list[float]: ...

class Estimator:
    """Collects batches of samples until they agree."""

    def __init__(self, known_rate: float = 0.0) -> None:
        """
        known_rate: the fewest ticks per cycle that earlier measurements saw, 0: none.
        """

    def add(self, samples: Sequence[tuple[int, int, int, int, int, int, int]], reference_cycles: float, executions: float) -> None:
        """
        samples: clock readings (reference before: shorter, longer; kernel; reference after; disturbances). The differences of the longer and shorter runs stand for reference_cycles and executions.
        """

    @property
    def estimate(self) -> Estimate: ...

class Measurement:
    """One kernel, timed on this host."""

    @property
    def estimate(self) -> Estimate: ...

    @property
    def end(self) -> str:
        """
        done; signal, timeout: what ended the code; failed: it could not be run.
        """

    @property
    def signal(self) -> str: ...

    @property
    def address(self) -> int:
        """Of the fault."""

    @property
    def message(self) -> str: ...

    @property
    def tiles_refused(self) -> bool:
        """Whether it failed since code cannot use AMX's tiles here."""

    @property
    def fault_offset(self) -> int:
        """
        Bytes from the kernel's start to the instruction that faulted, -1: none.
        """

    @property
    def pinned(self) -> bool: ...

    @property
    def real_time(self) -> bool: ...

    @property
    def confined(self) -> bool: ...

    @property
    def short_copies(self) -> int: ...

    @property
    def long_copies(self) -> int: ...

    @property
    def iterations(self) -> int: ...

    @property
    def samples(self) -> list[tuple[int, int, int, int, int, int, int]]:
        """Clock readings of all samples, as Estimator.add takes them."""

    @property
    def x87_status(self) -> int:
        """Bits of x87's status word that were set."""

    @property
    def simd_status(self) -> int:
        """Bits of MXCSR that were set."""

def measurable_isa() -> str:
    r"""The instruction set that can be timed on this host, \'\' where none."""

def decoded_bytes() -> int:
    """
    Bytes of unrolled code that this host decodes anew in every execution; twice as many follow them.
    """

def host_cpuid() -> list[tuple[int, int, int, int, int, int]]:
    """
    What CPUID says of vendor, model, extensions and caches: leaf, subleaf, eax, ebx, ecx, edx each. Empty where the core is not x86.
    """

def tile_features() -> list[str]:
    """Of amx_tile, amx_int8, amx_bf16 and amx_fp16 what CPUID names."""

def missing_tiles() -> str:
    r"""Why this core has no tiles such as timed code uses, \'\' where it has."""

def refused_tiles() -> str:
    r"""
    Why the system does not let programs use AMX's tiles, \'\' where it does.
    """

def tile_setup(offset: int) -> bytes:
    """
    Code that configures and loads AMX's tiles, from rcx + offset; rdx is 0.
    """

def tile_release() -> bytes:
    """Code that gives AMX's tiles back."""

def tile_image(values: StartValues) -> bytes:
    """
    What that code loads: 64 bytes of configuration, and a row for each tile.
    """

def measuring_obstacle() -> str:
    r"""Why this host cannot be measured, \'\' where it can."""

def measuring_clock(clock: str = 'timer') -> str:
    """
    What timed code reads the 'timer' with, or the system's 'counter' of cycles.
    """

def counter_obstacle() -> str:
    r"""
    Why timed code cannot read a counter of cycles here, \'\' where it can.
    """

def block_data_places() -> tuple[int, int, int, int]:
    """
    Addresses that blocks are timed with, beside this process's heap: the general registers' first, how far apart they are by number, the stack pointer's, and where pages begin that code names relative to itself.
    """

measuring_data_address: int = 1629701440

measuring_number: int = 4609434219683250176

def measure(code: bytes, values: StartValues, counter: int = -1, is_loop: bool = False, copies: int = 0, cpu: int = -1, real_time: bool = True, timeout_seconds: float = 5.0, most_batches: int = 16, known_rate: float = 0.0, known_witness: float = 0.0, setting: bytes = ..., keeps_flags: bool = False, clock: str = 'timer', relocations: Sequence[tuple[int, int, int]] = [], most_iterations: int = 0, drains: bool = False, data_pages: int = 1) -> Measurement:
    """
    Cycles of one execution of machine code, timed in child processes. counter: a general register that the code leaves alone, -1: none; copies: of the shorter unrolled loop, 0: chosen; known_rate, known_witness: see Estimator; setting: an instruction that is executed once, before; keeps_flags: what closes the loop leaves all flags alone; clock: see measuring_clock; relocations: (field, end, target) as TimedBlock.relocate takes them; most_iterations, drains, data_pages: as of TimedBlock, 0: no limit.
    """

class TimedBlock:
    """A basic block as it is timed."""

    def __init__(self, code: bytes, values: StartValues) -> None: ...

    @property
    def counter(self) -> int:
        """A general register that the code leaves alone, -1: none."""

    @counter.setter
    def counter(self, arg: int, /) -> None: ...

    @property
    def is_loop(self) -> bool: ...

    @is_loop.setter
    def is_loop(self, arg: bool, /) -> None: ...

    @property
    def copies(self) -> int:
        """Of the shorter unrolled loop, 0: chosen."""

    @copies.setter
    def copies(self, arg: int, /) -> None: ...

    @property
    def offset(self) -> int:
        """Of the code's start from a multiple of 64 bytes."""

    @offset.setter
    def offset(self, arg: int, /) -> None: ...

    @property
    def decoded(self) -> bool:
        """
        Unrolled code is decoded anew whenever it runs, and starts with its values again.
        """

    @decoded.setter
    def decoded(self, arg: bool, /) -> None: ...

    @property
    def most_iterations(self) -> int:
        """Of a loop, until it starts with its values again."""

    @most_iterations.setter
    def most_iterations(self, arg: int, /) -> None: ...

    @property
    def drains(self) -> bool:
        """The clock is read when all stores are written."""

    @drains.setter
    def drains(self, arg: bool, /) -> None: ...

    @property
    def data_pages(self) -> int:
        """Of memory that the pages of addresses are in turn."""

    @data_pages.setter
    def data_pages(self, arg: int, /) -> None: ...

    def relocate(self, field: int, end: int, target: int) -> None:
        """
        Four bytes at `field`, relative to the end of their instruction, lead to `target` from every copy.
        """

    def relocate_page(self, field: int, target: int) -> None:
        """AArch64's adrp at `field` gives the page of `target` in every copy."""

class Trace:
    """
    What registers held before every instruction of a block's first executions.
    """

    @property
    def end(self) -> str: ...

    @property
    def signal(self) -> str: ...

    @property
    def address(self) -> int:
        """Of the fault."""

    @property
    def message(self) -> str: ...

    @property
    def tiles_refused(self) -> bool: ...

    @property
    def complete(self) -> bool:
        """Whether the last copy was left at its end."""

    @property
    def steps(self) -> bytes:
        """
        For each step the instruction's offset and 32 general registers, eight bytes each.
        """

def trace_block(block: TimedBlock, copies: int, most_steps: int, cpu: int = -1, timeout_seconds: float = 5.0) -> Trace:
    """
    Executes copies of a block instruction by instruction, in a child process.
    """

def measure_block(block: TimedBlock, cpu: int = -1, real_time: bool = True, timeout_seconds: float = 5.0, most_batches: int = 16, known_rate: float = 0.0, known_witness: float = 0.0, clock: str = 'timer') -> Measurement:
    """Cycles of one execution of a block, timed in child processes."""

def measure_request(block: TimedBlock, cpu: int = -1, real_time: bool = True, timeout_seconds: float = 5.0, most_batches: int = 16, known_rate: float = 0.0, known_witness: float = 0.0, clock: str = 'timer', samples: int = 0, ticks_per_cycle: float = 0.0, shorter: float = 0.0, longer: float = 0.0, witness: float = 0.0) -> str:
    """
    The line that asks a program which times code for what measure_block does. samples: a batch, 0: as many as here. ticks_per_cycle above 0: its clock tells the time of a simulated core, which takes so many cycles for an iteration of the shorter and the longer loop, and of the witness.
    """

def trace_request(block: TimedBlock, copies: int, most_steps: int, cpu: int = -1, timeout_seconds: float = 5.0) -> str:
    """The line that asks for what trace_block does."""

def measurement_of(line: str) -> Measurement:
    """The answer to measure_request. Raises ValueError for another line."""

def trace_of(line: str) -> Trace:
    """The answer to trace_request. Raises ValueError for another line."""

class SteppedImage:
    """What one process executed of one program."""

    @property
    def maps(self) -> bytes:
        """Its mappings, as last read from /proc/PID/maps."""

    @property
    def addresses(self) -> bytes:
        """Of executed instructions, ascending, eight bytes each."""

    @property
    def counts(self) -> bytes:
        """Their executions."""

class Stepped:
    """A program that was run instruction by instruction."""

    @property
    def problem(self) -> str:
        """Why nothing ran."""

    @property
    def status(self) -> int:
        """Exit code; below 0: the signal that ended it."""

    @property
    def timed_out(self) -> bool: ...

    @property
    def images(self) -> list[SteppedImage]: ...

def can_step_programs() -> bool:
    """Whether step_program works on this system."""

def step_program(arguments: Sequence[str], seconds: float = 0.0) -> Stepped:
    """
    Runs a program, and all that it starts, instruction by instruction. seconds: after which it is ended, 0: never.
    """

def kendall_tau(x: Sequence[float], y: Sequence[float]) -> float:
    """
    Kendall's tau-b of two columns (array('d'), NumPy); nan where one is constant.
    """

def bootstrap_intervals(measured: Sequence[float], predicted: Sequence[float], rounded_measured: Sequence[float], rounded_predicted: Sequence[float], samples: int = 1000, tau_samples: int = 200, seed: int = 1) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
    """
    95 % intervals (low, high) by the percentile bootstrap: mean absolute and mean relative error of the first two columns, tau of the other two.
    """
