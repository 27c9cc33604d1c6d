// Doubles as exact decimals, for Go's %f and %e: every digit is exact, and ties go to the even digit. JavaScript's toFixed and
// toExponential round ties up, and stop at 100 digits.

/** 0.d₁d₂d₃… × 10^point, without leading or trailing zeros; no digits for zero. */
export interface Decimal {
  readonly digits: string;
  readonly point: number;
}

const FRACTION_BITS = 52;
const EXPONENT_BIAS = 1075;

const bits = new DataView(new ArrayBuffer(8));

/** The value of a finite double's magnitude, digit by digit. */
export function exactDecimal(x: number): Decimal {
  bits.setFloat64(0, Math.abs(x));
  const word = bits.getBigUint64(0);
  const exponent = Number(word >> BigInt(FRACTION_BITS));
  const fraction = word & ((1n << BigInt(FRACTION_BITS)) - 1n);
  // Subnormal numbers have no hidden bit and the exponent of the smallest normal ones.
  const mantissa = exponent === 0 ? fraction : fraction | (1n << BigInt(FRACTION_BITS));
  const power = Math.max(exponent, 1) - EXPONENT_BIAS;
  if (power >= 0) return decimalOf((mantissa << BigInt(power)).toString(), 0);
  // m / 2^k is m·5^k / 10^k.
  return decimalOf((mantissa * 5n ** BigInt(-power)).toString(), -power);
}

/** The shortest decimal that reads back as the same double. */
export function shortestDecimal(x: number): Decimal {
  const [mantissa, exponent] = Math.abs(x).toExponential().split("e") as [string, string];
  return decimalOf(mantissa.replace(".", ""), mantissa.replace(".", "").length - 1 - Number(exponent));
}

/** An integer written in decimal, divided by 10^fraction. */
function decimalOf(integer: string, fraction: number): Decimal {
  const start = integer.search(/[1-9]/);
  if (start < 0) return { digits: "", point: 0 };
  return { digits: trimZeros(integer.slice(start)), point: integer.length - start - fraction };
}

function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end--;
  return digits.slice(0, end);
}

/** Keeps the first `count` digits (none when negative), rounding half to even. */
function keepDigits(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal;
  if (count >= digits.length) return decimal;
  if (count < 0) return { digits: "", point: 0 };
  const kept = digits.slice(0, count);
  const next = digits.charCodeAt(count) - 0x30;
  // Digits end in a nonzero one, so a five that ends them is a tie.
  const tie = next === 5 && count + 1 === digits.length;
  const odd = count > 0 && (kept.charCodeAt(count - 1) & 1) === 1;
  if (tie ? !odd : next < 5) return decimalOf(kept, kept.length - point);
  const raised = (BigInt(kept === "" ? "0" : kept) + 1n).toString();
  return decimalOf(raised, kept.length - point);
}

/** Rounded to a number of digits after the decimal point. */
export function roundFraction(decimal: Decimal, fraction: number): Decimal {
  return keepDigits(decimal, decimal.point + fraction);
}

/** Rounded to a number of digits in all. */
export function roundSignificant(decimal: Decimal, digits: number): Decimal {
  return keepDigits(decimal, digits);
}

/** Both sides of the decimal point, the right one at least `fraction` digits long. */
export function splitDecimal({ digits, point }: Decimal, fraction: number): { whole: string; fraction: string } {
  const whole = point <= 0 ? "0" : digits.slice(0, point).padEnd(point, "0");
  const rest = point <= 0 ? "0".repeat(digits === "" ? 0 : -point) + digits : digits.slice(point);
  return { whole, fraction: rest.padEnd(fraction, "0") };
}

/** Go's %.Nf of a finite double. */
export function formatFixedPoint(x: number, precision: number): string {
  const { whole, fraction } = splitDecimal(roundFraction(exactDecimal(x), precision), precision);
  return `${signOf(x)}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Go's %.Ne of a finite double. */
export function formatScientific(x: number, precision: number): string {
  const { digits, point } = roundSignificant(exactDecimal(x), precision + 1);
  const exponent = digits === "" ? 0 : point - 1;
  const padded = digits.padEnd(precision + 1, "0");
  const mantissa = precision === 0 ? padded : `${padded[0]}.${padded.slice(1)}`;
  return `${signOf(x)}${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

const signOf = (x: number): string => (x < 0 || Object.is(x, -0) ? "-" : "");
