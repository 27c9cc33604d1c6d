// Names of fields as Go's generated code has them: `foo_bar` is FooBar. The rules are those of github.com/stoewer/go-strcase.

const DELIMITER = /[-_ \t\n\r]/;
const LOWER = /[a-z]/;
const UPPER = /[A-Z]/;

export function upperCamelCase(name: string): string {
  const letters = [...name.trim()];
  let out = "";
  letters.forEach((letter, i) => {
    const [before, after] = [letters[i - 1], letters[i + 1]];
    if (DELIMITER.test(letter)) return;
    if (before === undefined || DELIMITER.test(before)) out += LOWER.test(letter) ? letter.toUpperCase() : letter;
    else if (LOWER.test(before)) out += letter;
    else if (UPPER.test(before) && UPPER.test(letter) && after !== undefined && LOWER.test(after)) out += letter;
    else out += UPPER.test(letter) ? letter.toLowerCase() : letter;
  });
  return out;
}
