#!/usr/bin/env bash
# Puts tokenlint into a virtual environment of its own, beside the checkout.
#   install.sh probe    says whether a Python that can run it has to be set up first
#   install.sh          installs it: VERSION of the package, or else this action's own checkout
# Python runs isolated (-I): no file of the checked repository is imported in place of a module.
set -euo pipefail

usable() {
  local name
  for name in python3 python; do
    if "$name" -I -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      echo "$name"
      return
    fi
  done
  return 1
}

if [ "${1-}" = probe ]; then
  if [ -z "${PYTHON_VERSION-}" ] && usable >/dev/null; then
    echo "needed=false" >>"$GITHUB_OUTPUT"
  else
    echo "needed=true" >>"$GITHUB_OUTPUT"
  fi
  exit
fi

if ! python=$(usable); then
  echo "::error::tokenlint: no Python 3.11 or newer on this runner; set python-version"
  exit 2
fi
home=$RUNNER_TEMP/tokenlint-venv
"$python" -I -m venv "$home"
bin=$home/bin
if [ -d "$home/Scripts" ]; then bin=$home/Scripts; fi # Windows

extras=${EXTRAS:+[$EXTRAS]}
what=$GITHUB_ACTION_PATH$extras
if [ -n "${VERSION-}" ]; then what="pytest-tokenbudget$extras==$VERSION"; fi
"$bin/python" -I -m pip install --quiet --disable-pip-version-check "$what"

{
  echo "python=$bin/python"
  echo "tokenlint=$bin/tokenlint"
} >>"$GITHUB_OUTPUT"
