# The last step of the action: fails the job if a step before it found something. The higher code is the worse one.
set -u
for code in "${CHECK:-0}" "${DIFF:-0}"; do
  [ "$code" = 0 ] || exit "$code"
done
