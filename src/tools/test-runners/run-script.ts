/**
 * Runs a test command and then prints the report that it wrote. Arguments: a word that separates output and report, folders of reports
 * (separated by `:`), the folder to start in, then the command. `@report` in its words becomes a temporary folder.
 */
export const RUN_SCRIPT = String.raw`
mark=$1; folders=$2; shift 2
report=$(mktemp -d) || exit 1
trap 'rm -rf "$report"' EXIT
touch "$report/.start"
"@{@//@report/$report}"
code=$?
printf '\n%s\n' "$mark"
cat -- "$report"/* 2>/dev/null | head -c 8000000
IFS=:
for folder in $folders; do
  unset IFS
  find $folder -name '*.xml' -newer "$report/.start" -exec cat {} + 2>/dev/null | head -c 8000000
done
exit "$code"
`.replaceAll('@{', '$'.concat('{'))
