import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Invalid } from "../invalid.ts";
import { recorded } from "../recorded.testing.ts";
import { isQuantity, parseQuantity, type Quantity, quantityOf } from "./quantity.ts";

interface Shown {
  canonical: string;
  sign: number;
  integer: string;
  float: string;
  format: string;
}

type Row = { text: string } & (
  | { error: string }
  | (Shown & { other?: string; sum?: Shown; difference?: Shown; compare?: number })
);

const rows = recorded<Row>("quantities", import.meta.url);

function show(q: Quantity): Shown {
  return {
    canonical: q.toString(),
    sign: q.sign(),
    integer: q.asInteger()?.toString() ?? "",
    float: String(q.asApproximateFloat()),
    format: q.format,
  };
}

// Go and JavaScript write the same double differently.
function withFloat(shown: Shown): Shown {
  return { ...shown, float: String(Number(shown.float.replace("Inf", "Infinity"))) };
}

describe("as recorded", () => {
  test.each(rows)("$text", (row) => {
    const q = parseQuantity(row.text);
    if ("error" in row) {
      expect(q).toEqual(new Invalid(row.error));
      expect(isQuantity(row.text)).toBe(false);
      return;
    }
    if (q instanceof Invalid) throw new Error(q.message);
    const { text: _text, other: otherText, sum, difference, compare, ...shown } = row;
    expect(show(q)).toEqual(withFloat(shown));
    expect(q.isInteger()).toBe(row.integer !== "");
    if (otherText === undefined || sum === undefined || difference === undefined) return;
    const other = parseQuantity(otherText);
    if (other instanceof Invalid) throw new Error(other.message);
    expect(show(q.add(other))).toEqual(withFloat(sum));
    expect(show(q.sub(other))).toEqual(withFloat(difference));
    expect(q.compare(other)).toBe(compare);
    expect(show(q)).toEqual(withFloat(shown)); // operands are not changed
  });
});

/** A quantity's exact value as a fraction over 10^9 × 1, from its text alone. */
const SCALES: Record<string, bigint> = {
  n: 1n,
  u: 1000n,
  m: 1_000_000n,
  "": 1_000_000_000n,
  k: 10n ** 12n,
  M: 10n ** 15n,
  G: 10n ** 18n,
  Ki: 1024n * 10n ** 9n,
  Mi: 1024n ** 2n * 10n ** 9n,
  Gi: 1024n ** 3n * 10n ** 9n,
};

const exact = fc
  .record({
    digits: fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
    suffix: fc.constantFrom(...Object.keys(SCALES)),
  })
  .map(({ digits, suffix }) => ({ text: `${digits}${suffix}`, nanos: digits * SCALES[suffix]! }))
  // Values with a binary suffix are capped; the property is about arithmetic.
  .filter(({ nanos }) => (nanos < 0n ? -nanos : nanos) < 2n ** 62n * 10n ** 9n);

function nanosOf(q: Quantity): bigint {
  const text = q.canonical();
  const [, digits, suffix] = /^(-?\d+)(.*)$/.exec(text)!;
  if (suffix!.startsWith("e")) return BigInt(digits!) * 10n ** BigInt(Number(suffix!.slice(1)) + 9);
  const more: Record<string, bigint> = { ...SCALES, T: 10n ** 21n, P: 10n ** 24n, E: 10n ** 27n };
  for (const [i, name] of ["Ti", "Pi", "Ei"].entries()) more[name] = 1024n ** BigInt(i + 4) * 10n ** 9n;
  return BigInt(digits!) * more[suffix!]!;
}

const parse = (text: string): Quantity => {
  const q = parseQuantity(text);
  if (q instanceof Invalid) throw new Error(`${text}: ${q.message}`);
  return q;
};

describe("against exact fractions", () => {
  test("sum, difference, order, sign", () => {
    fc.assert(
      fc.property(exact, exact, (a, b) => {
        const x = parse(a.text);
        const y = parse(b.text);
        expect(nanosOf(x)).toBe(a.nanos);
        expect(nanosOf(x.add(y))).toBe(a.nanos + b.nanos);
        expect(nanosOf(x.sub(y))).toBe(a.nanos - b.nanos);
        expect(x.compare(y)).toBe(a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0);
        expect(x.sign()).toBe(a.nanos < 0n ? -1 : a.nanos > 0n ? 1 : 0);
        expect(x.add(y).equals(y.add(x))).toBe(true);
        expect(x.add(y).sub(y).equals(x)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("the canonical text reads back as the same value and is canonical", () => {
    fc.assert(
      fc.property(exact, ({ text }) => {
        const q = parse(text);
        const again = parse(q.canonical());
        expect(again.equals(q)).toBe(true);
        expect(again.canonical()).toBe(q.canonical());
      }),
      { numRuns: 1000 },
    );
  });
});

describe("hostile exponents", () => {
  const huge = parse("1e2147483647");
  const tiny = parse("1e-2147483648");
  test("are compared, added and printed at once", () => {
    expect(huge.compare(parse("1Ei"))).toBe(1);
    expect(parse("-1e2000000000").compare(huge)).toBe(-1);
    expect(tiny.toString()).toBe("1e-9"); // rounded up to a nano
    expect(huge.add(parse("1")).compare(huge)).toBe(0);
    expect(parse("1").sub(huge).sign()).toBe(-1);
    expect(huge.toString()).toBe("10e2147483646");
    expect(huge.asApproximateFloat()).toBe(Number.POSITIVE_INFINITY);
    expect(huge.asInteger()).toBeUndefined();
  });

  test("any text is a quantity or an error, soon", () => {
    const text = fc.string({ unit: fc.constantFrom(..."0123456789.+-eEinumkKMGTP"), maxLength: 14 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const x = parseQuantity(a);
        const y = parseQuantity(b);
        if (x instanceof Invalid || y instanceof Invalid) return;
        for (const q of [x, x.add(y), x.sub(y)]) expect(q.toString()).toMatch(/^[+-]?[0-9.]*/);
        x.compare(y);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a hundred thousand digits", () => {
  const digits = "1234567890".repeat(10_000);

  test("are read and compared exactly", () => {
    const long = parse(digits);
    expect(long.compare(parse(`${digits}k`))).toBe(-1);
    expect(long.compare(parse(`${digits}.000000001`))).toBe(-1);
    expect(long.sub(parse(digits.replace(/0$/, "1"))).toString()).toBe("-1");
    expect(parse(`0.${digits}`).toString()).toBe("123456790n");
    expect(long.compare(parse("1e50"))).toBe(1);
    expect(long.compare(parse(`${digits.slice(0, -1)}e1`))).toBe(0);
    expect(long.compare(parse("1e99999"))).toBe(1);
    expect(long.compare(parse("2e99999"))).toBe(-1);
  });

  test("with something else behind them are given up at once", () => {
    for (const text of [`${digits}x`, `${digits}.${digits}x`, `1e${digits}`, `${digits}.${digits}.`]) {
      expect(isQuantity(text)).toBe(false);
    }
  });
});

describe("digits below nano", () => {
  const digits = fc.string({ unit: fc.constantFrom(..."0159"), minLength: 1, maxLength: 120 });
  const suffixes: readonly (readonly [suffix: string, numerator: bigint, denominator: bigint])[] = [
    ["", 1n, 1n],
    ["m", 1n, 1000n],
    ["Ki", 2n ** 10n, 1n],
    ["Ei", 2n ** 60n, 1n],
    ["e3", 1000n, 1n],
    ["e-30", 1n, 10n ** 30n],
  ];

  test.each(suffixes)("are rounded up with suffix %j", (suffix, numerator, denominator) => {
    fc.assert(
      fc.property(digits, digits, (integer, fraction) => {
        const value = BigInt(integer + fraction) * numerator * 10n ** 9n;
        const unit = denominator * 10n ** BigInt(fraction.length);
        const nanos = value / unit + (value % unit === 0n ? 0n : 1n);
        const most = suffix.endsWith("i") ? 2n ** 63n - 1n : 10n ** 400n;
        const want = nanos > most * 10n ** 9n ? `${most}` : `${nanos}n`;
        expect(parse(`${integer}.${fraction}${suffix}`).compare(parse(want))).toBe(0);
      }),
    );
  });

  test("are not read, but for whether they are all zero", () => {
    let pauses = 0;
    const count = (): void => {
      pauses++;
    };
    for (const suffix of ["", "Ei"]) {
      const amount = parseQuantity(`1.${"0".repeat(1_000_000)}1${suffix}`, count);
      expect(amount instanceof Invalid ? 0 : amount.compare(parse(`1${suffix}`))).toBe(1);
    }
    expect(pauses).toBe(0);
  });
});

test("numbers far apart in exponent are compared exactly", () => {
  const number = fc.tuple(fc.bigInt({ min: -(10n ** 300n), max: 10n ** 300n }), fc.integer({ min: 0, max: 400 }));
  fc.assert(
    fc.property(number, number, fc.integer({ min: -1, max: 1 }), ([x, i], [y, j], more) => {
      const [a, b] = [x * 10n ** BigInt(i), y * 10n ** BigInt(j)];
      const order = (p: bigint, q: bigint): number => (p === q ? 0 : p < q ? -1 : 1);
      expect(parse(`${x}e${i}`).compare(parse(`${y}e${j}`))).toBe(order(a, b));
      expect(parse(`${x}e${i}`).compare(parse(`${a + BigInt(more)}`))).toBe(order(0n, BigInt(more)));
    }),
  );
});

test("whole numbers", () => {
  expect(quantityOf(5).toString()).toBe("5");
  expect(quantityOf(1500, "BinarySI").toString()).toBe("1500");
  expect(quantityOf(2048, "BinarySI").toString()).toBe("2Ki");
  expect(quantityOf(12_000_000n, "DecimalExponent").toString()).toBe("12e6");
  expect(JSON.stringify({ q: parse("0.5") })).toBe('{"q":"500m"}');
  // The smallest int64 is its own negative where Kubernetes subtracts it.
  const smallest = quantityOf(-9223372036854775808n);
  expect(quantityOf(0).sub(smallest).toString()).toBe("-9223372036854775808");
});

describe("texts of long numbers", () => {
  test("are written in steps, with a pause before each", () => {
    for (const text of ["7".repeat(300_000), `-${"70".repeat(50_000)}1`, `1${"0".repeat(99_999)}1`]) {
      let pauses = 0;
      expect(parse(text).toString(() => pauses++)).toBe(text);
      expect(pauses).toBeGreaterThan(text.length / 10_000);
    }
    let pauses = 0;
    expect(parse("123456789").toString(() => pauses++)).toBe("123456789");
    expect(pauses).toBe(0);
  });

  test("with many factors of 1024 are divided once", () => {
    const long = 3n << 1_000_005n;
    const sum = parse("1Ki").add(parse(String(long - 1024n)));
    expect(sum.toString()).toBe("96");
  });
});
