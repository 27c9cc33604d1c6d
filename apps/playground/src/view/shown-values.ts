// Whether values are shown beside the policy: the choice of the user, kept where the browser allows it.

const KEY = "celadon-values";

export function valuesAreShown(): boolean {
  try {
    return localStorage.getItem(KEY) !== "no";
  } catch {
    return true;
  }
}

export function showValues(isShown: boolean): void {
  try {
    localStorage.setItem(KEY, isShown ? "yes" : "no");
  } catch {
    // Without storage they are always shown.
  }
}
