# A step of the action: writes the comparison as a comment of the pull request, always the same one. A pull request of a fork has a token
# that may not write: then the summary of the job is what there is.
set -uo pipefail

if [ -z "${NUMBER-}" ]; then
  echo "::notice title=celadon::no comment: this is not a pull request"
  exit 0
fi
marker='<!-- celadon -->'
comments=repos/$GITHUB_REPOSITORY/issues
body=$(mktemp)
printf '%s\n%s\n' "$marker" "$(cat "$MARKDOWN")" >"$body"

id=$(gh api --paginate "$comments/$NUMBER/comments" --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1)
if [ -n "$id" ]; then
  gh api --silent --method PATCH "$comments/comments/$id" --field "body=@$body"
else
  gh api --silent --method POST "$comments/$NUMBER/comments" --field "body=@$body"
fi || echo "::notice title=celadon::no comment: the token may not write to the pull request; see the summary of the job"
rm -f "$body"
exit 0
