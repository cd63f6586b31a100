#!/bin/sh
# A legacy-era stdio server small enough to be started by the hundred. `hang` reads and never answers; `fork` leaves a
# descendant behind that outlives the end of stdin, `deaf` hears neither that end nor a polite signal.
case "$1" in
  hang) while IFS= read -r line; do :; done; exit 0 ;;
  fork) sleep 600 & ;;
  deaf) trap '' TERM HUP ;;
esac
while IFS= read -r line; do
  id=${line##*'"id":'}
  id=${id%%[,\}]*}
  case "$line" in
    *'"method":"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"tiny","version":"1"}}}\n' "$id" ;;
    *'"method":"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}}\n' "$id" ;;
    *'"method":"tools/call"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"tiny"}]}}\n' "$id" ;;
  esac
done
while [ "$1" = deaf ]; do sleep 1; done
