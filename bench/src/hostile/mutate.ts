// The most time for a kilobyte that a reader can be made to take: inputs are changed again and again, always starting from the worst so
// far. The same seed changes the same way.

export interface WorstInput {
  readonly reader: string;
  readonly inputs: number;
  /** CPU microseconds of the worst input, and for a kilobyte of it; short inputs count as one. */
  readonly microseconds: number;
  readonly perKilobyte: number;
  readonly bytes: number;
  /** The beginning of the worst input. */
  readonly input: string;
  /** Errors that are no answer, each once. */
  readonly thrown: readonly string[];
}

export interface Reader {
  readonly name: string;
  readonly seeds: readonly string[];
  /** Returns its result for the text, at once or later; throws only for an error of the reader. */
  read(text: string): unknown;
  readonly words: readonly string[];
  /** Shorter inputs count as this many bytes. */
  readonly least?: number;
  readonly longest?: number;
}

const LONGEST = 20_000;
const RUNS = 4;

/** Changes and reads for so many milliseconds of CPU. */
export async function worstInput(reader: Reader, milliseconds: number, seed: number): Promise<WorstInput> {
  const { name, read, seeds, least = 1024 } = reader;
  const random = randomOf(seed);
  const ends = cpu() + milliseconds * 1000;
  const thrown = new Set<string>();
  let worst = { microseconds: 0, perKilobyte: 0, input: "" };
  let inputs = 0;
  const pool = [...seeds];
  while (cpu() < ends) {
    const base = random(3) === 0 && worst.input !== "" ? worst.input : (pool[random(pool.length)] as string);
    const input = inputs < seeds.length ? (seeds[inputs] as string) : changed(base, reader, random);
    inputs++;
    let microseconds = Number.POSITIVE_INFINITY;
    // An input that is slow once may meet a busy machine or a collection of garbage; one that is slow again and again is slow.
    for (let run = 0; run < RUNS; run++) {
      const start = cpu();
      try {
        await read(input);
      } catch (failure) {
        thrown.add(`${failure} on ${JSON.stringify(input.slice(0, 200))}`);
      }
      microseconds = Math.min(microseconds, cpu() - start);
      if (microseconds / (Math.max(input.length, least) / 1024) <= worst.perKilobyte) break;
    }
    const perKilobyte = microseconds / (Math.max(input.length, least) / 1024);
    if (perKilobyte > worst.perKilobyte) {
      worst = { microseconds, perKilobyte, input };
      pool.push(input);
    }
  }
  const { input, ...times } = worst;
  return {
    reader: name,
    inputs,
    ...times,
    bytes: input.length,
    input: input.slice(0, 120),
    thrown: [...thrown].slice(0, 5),
  };
}

/** Some parts repeated, exchanged, left out, or put in from the words of the language. */
function changed(text: string, { words, longest = LONGEST }: Reader, random: (n: number) => number): string {
  let result = text;
  for (let times = 1 + random(6); times > 0; times--) {
    const at = random(result.length + 1);
    const end = Math.min(result.length, at + random(60));
    const part = result.slice(at, end);
    const word = words[random(words.length)] as string;
    const put = [
      word,
      word.repeat(1 + random(200)),
      part + part,
      part.repeat(random(100)),
      (random(2) === 0 ? part : word).repeat(random(5_000)),
      "",
      String.fromCharCode(random(256)),
    ][random(7)] as string;
    result = result.slice(0, at) + put + result.slice(random(2) === 0 ? at : end);
  }
  return result.slice(0, longest);
}

/** Numbers below n, the same sequence for the same seed (mulberry32). */
function randomOf(seed: number): (n: number) => number {
  let state = seed >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

function cpu(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}
