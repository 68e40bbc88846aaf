#!/usr/bin/env bash
# The MCP conformance suite: `mcp_conformance.sh PROTOCOL REVISION`. The baseline
# names the scenarios that need tools, prompts or resources made for the suite,
# which a store has not got; anything else that fails is a fault, and so is a
# baseline that lists too much.
set -euo pipefail
protocol=$1 revision=$2
out=$JUDGES_WORK/conformance/$protocol-$revision

rm -rf "$out"
conformance server --url "$JUDGES_ORIGIN/$protocol/mcp" --requirements "$revision" \
  --expected-failures "$JUDGES_SHARED/conformance/mcp-$revision.expected-failures.yml" -o "$out"
