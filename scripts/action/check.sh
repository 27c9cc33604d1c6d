# A step of the action: checks with annotations, a SARIF file and a summary of the job. A later step fails the job, so that reports are
# uploaded first.
set -uo pipefail

flags=()
while IFS= read -r line; do
  [ -z "$line" ] || flags+=("$line")
done <<<"${ARGS-}"
while IFS= read -r line; do
  [ -z "$line" ] || flags+=(--filename="$line")
done <<<"${FILES-}"
[ -z "${SARIF-}" ] || flags+=(--output="sarif=$SARIF")
summary=$(mktemp)

celadon check "${flags[@]}" --only-problems --output=github --output="markdown=$summary"
code=$?

[ ! -s "$summary" ] || cat "$summary" >>"$GITHUB_STEP_SUMMARY"
rm -f "$summary"
echo "exit-code=$code" >>"$GITHUB_OUTPUT"
# Input that cannot be read has no report.
if [ -n "${SARIF-}" ] && [ -f "$SARIF" ]; then echo "sarif=$SARIF" >>"$GITHUB_OUTPUT"; fi
exit 0
