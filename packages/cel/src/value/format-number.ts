// Doubles as Go's strconv writes them: the shortest digits that read back as the same number. JavaScript finds the same
// digits; only where the exponent form begins, and how it looks, differs.

/** strconv.FormatFloat(x, 'g', -1, 64): shortest digits, an exponent below 1e-4 and from 1e6 on. */
export function formatDouble(x: number): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "NaN" : x > 0 ? "+Inf" : "-Inf";
  if (x === 0) return Object.is(x, -0) ? "-0" : "0";
  const size = Math.abs(x);
  if (size >= 1e-4 && size < 1e6) return String(x);
  const [mantissa, exponentText] = x.toExponential().split("e") as [string, string];
  return `${mantissa}e${formatExponent(Number(exponentText))}`;
}

const formatExponent = (exponent: number): string =>
  `${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;

/** strconv.FormatFloat(x, 'f', -1, 64) of a finite number: shortest digits, never an exponent. */
export function formatFixed(x: number): string {
  const text = String(x);
  if (!text.includes("e")) return Object.is(x, -0) ? "-0" : text;
  const [mantissa, exponentText] = text.split("e") as [string, string];
  const exponent = Number(exponentText);
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  return sign + digits.padEnd(exponent + 1, "0");
}
