// Timestamps as Kubernetes' YAML reader takes them with the tag !!timestamp. Without the tag they are text like any other.

const DATE =
  /^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:([Tt ])([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[.,][0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?)?$/;

export function isTimestamp(text: string): boolean {
  const match = DATE.exec(text);
  if (match === null) return false;
  const [, year, month, day, between, hour = "0", minute = "0", second = "0", zone] = match;
  // A zone belongs to the form with a T, and only to that.
  if (between !== undefined && (between === " ") !== (zone === undefined)) return false;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return false;
  if (zone !== undefined && zone !== "Z" && (Number(zone.slice(1, 3)) > 24 || Number(zone.slice(4)) > 60)) return false;
  return (
    Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month))
  );
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}
