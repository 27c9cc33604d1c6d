# A step of the action: the verdicts that a change of policies affects, as annotations and as Markdown.
set -uo pipefail

base=${BASE:-origin/${GITHUB_BASE_REF-}}
if [ "$base" = origin/ ]; then
  echo "::notice title=celadon::no base to compare with: set the input 'base' outside of pull requests"
  exit 0
fi
git rev-parse --quiet --verify --end-of-options "$base^{commit}" >/dev/null ||
  git fetch --quiet --depth=1 origin "+refs/heads/${base#origin/}:refs/remotes/$base" || {
  echo "::error title=celadon::cannot read the base '$base': check out with fetch-depth 0"
  echo "exit-code=2" >>"$GITHUB_OUTPUT"
  exit 0
}

paths=() objects=()
while IFS= read -r line; do
  [ -z "$line" ] || paths+=("$line")
done <<<"${POLICIES-}"
while IFS= read -r line; do
  [ -z "$line" ] || objects+=(--filename="$line")
done <<<"${OBJECTS:-${FILES-}}"
fail_on=$FAIL_ON
[ "$fail_on" != none ] || fail_on=denied
markdown=${RUNNER_TEMP:-/tmp}/celadon-diff.md
rm -f "$markdown"

celadon diff --old-git="$base" "${objects[@]}" --fail-on="$fail_on" --output=github --output="markdown=$markdown" -- "${paths[@]}"
code=$?

# Changed verdicts may be all right; input that cannot be read is not.
[ "$FAIL_ON" != none ] || [ "$code" != 1 ] || code=0
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
if [ -s "$markdown" ]; then
  cat "$markdown" >>"$GITHUB_STEP_SUMMARY"
  echo "markdown=$markdown" >>"$GITHUB_OUTPUT"
fi
exit 0
