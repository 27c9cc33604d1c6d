// String formats that are neither names nor labels: uuid, byte, date, date-time, as kube-openapi's strfmt checks them.
// The same functions serve OpenAPI formats and kubernetes.format.

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const UUID5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const DATE = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/;
// Any character may stand before the fraction: upstream's pattern has an unescaped dot.
const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})([^\n][0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/u;

/** Whether a text is a UUID of any version. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Whether a text is a UUID of version 3. */
export function isUuid3(text: string): boolean {
  return UUID3.test(text);
}

/** Whether a text is a UUID of version 4. */
export function isUuid4(text: string): boolean {
  return UUID4.test(text);
}

/** Whether a text is a UUID of version 5. */
export function isUuid5(text: string): boolean {
  return UUID5.test(text);
}

/** Standard base64 with padding; the empty string is invalid. */
export function isBase64(text: string): boolean {
  return BASE64.test(text);
}

/** `YYYY-MM-DD` naming a day that exists. */
export function isDate(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  return month >= 1 && month <= 12 && day >= 1 && day <= daysIn(month, year);
}

function daysIn(month: number, year: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** A date, `t` or `T`, and a time with seconds and zone; no leap seconds. */
export function isDateTime(text: string): boolean {
  if (text.length < 4) return false;
  const parts = text.toLowerCase().split("t");
  if (parts.length < 2 || !isDate(parts[0] ?? "")) return false;
  const match = TIME.exec(parts[1] ?? "");
  return match !== null && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}
