#!/bin/bash
# Runs mlestar on the competition of this container, as the benchmark starts its agents; README.md says what is read and left. Arguments,
# made from `kwargs` of config.yaml, go to `mlestar run`.
set -u
home=${MLE_BENCH_HOME:-/home}
program=${MLESTAR:-$AGENT_DIR/mlestar}
limit=${TIME_LIMIT_SECS:-86400}
mkdir -p "$SUBMISSION_DIR" "$LOGS_DIR" "$CODE_DIR"
exec > >(tee -a "$LOGS_DIR/agent.log") 2>&1

run=$(printf '%s' "${COMPETITION_ID:-competition}" | tr -c 'A-Za-z0-9._-' '-' | cut -c1-60)
store=$AGENT_DIR/store
task=$AGENT_DIR/task.yaml
text=$AGENT_DIR/description.md

# The competition first, then the benchmark's own rules, with the folders as scripts see them.
{
  cat "$home/data/description.md"
  printf '\n# Rules of the benchmark\n\n'
  sed "s|/home/data|./input|g; s|/home/submission|./final|g" "$home/instructions.txt"
  printf '\n# What may be looked up\n\n'
  printf '%s\n' "Look for no solution, notebook, discussion, leaderboard or label of this competition, under this or any other name, and open no page that" \
    "holds one. Documentation of libraries and articles about models in general may be read."
} | tr -d '\r' > "$text"

if [ ! -f "$task" ]; then
  # A description that names no metric is still one: the agents read it.
  "$program" new "$home/data" --out "$task" --description "$text" --id "$run" --yes ||
    "$program" new "$home/data" --out "$task" --description "$text" --id "$run" --yes \
      --metric "the metric of the description" --direction "${METRIC_DIRECTION:-maximize}" || exit 2
fi

search=()
if [ "${SEARCH:-off}" = off ]; then
  search=(--set provider_search=false --set "agents.retriever.tools=[]")
fi

# Leaves a file of the run where the benchmark collects it, never half of it: keep FILE PLACE [OPTION]
keep() {
  if "$program" show "$run" --store "$store" --file "$@" > "$place.part" 2> /dev/null; then mv "$place.part" "$place"; else rm -f "$place.part"; fi
}
submission() {
  place=$SUBMISSION_DIR/submission.csv
  keep submission.csv --so-far
}
# The best so far lies there from the first script that wrote one, whatever happens next.
( while sleep "${LOOK_SECS:-60}"; do submission; done ) &
watcher=$!
leave() {
  kill "$watcher" 2> /dev/null
  wait "$watcher" 2> /dev/null
  submission
  place=$CODE_DIR/train.py
  keep final_solution.py
  place=$LOGS_DIR/result.json
  keep result.json
  place=$LOGS_DIR/failed.json
  keep failed.json
  "$program" show "$run" --store "$store" > "$LOGS_DIR/steps.txt" 2> /dev/null
  "$program" report "$run" --store "$store" --out "$LOGS_DIR/report.html" > /dev/null 2>&1
  if [ -f "$SUBMISSION_DIR/submission.csv" ] && [ -f "$home/validate_submission.sh" ]; then
    bash "$home/validate_submission.sh" "$SUBMISSION_DIR/submission.csv"
  fi
}
trap leave EXIT
trap 'exit 143' TERM INT

# What was needed so far, and a little to leave the results, comes off the time. A process that was killed goes on where it was, and so does
# this script: the run keeps the limit that it began with.
margin=$((limit / 20 < 300 ? limit / 20 : 300))
[ -s "$AGENT_DIR/left" ] || echo "$((limit - SECONDS - margin))" > "$AGENT_DIR/left"
left=$(cat "$AGENT_DIR/left")
for try in 1 2 3; do
  timeout "$((limit - SECONDS > 1 ? limit - SECONDS : 1))" "$program" run --task "$task" --run-id "$run" --store "$store" --set time_limit_seconds="$left" "${search[@]}" "$@" &
  wait $!
  code=$?
  echo "mlestar ended with $code (try $try, $SECONDS of $limit seconds)"
  [ "$code" -gt 2 ] && [ "$code" -ne 124 ] || break
done
exit "$code"
