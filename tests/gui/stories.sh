#!/usr/bin/env bash
# The demo's story on every screen, in every language and both themes, with a window manager.
#
#   bash tests/gui/stories.sh BUILD OUT     screenshots in OUT/<screen>-<scale>-<language>-<theme>/
#
# STORIES: which, as in STORIES="1024x700-1-ja-dark 2560x1440-1-en-light"; all 24 without it.
set -euo pipefail
[ $# -eq 2 ] || { echo "stories: expects the build folder and the folder for the screenshots" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
all=()
for screen in 1024x700-1 1366x768-1 1600x1000-1.5 2560x1440-1; do
  for language in en zh_CN ja; do
    for theme in light dark; do all+=("$screen-$language-$theme"); done
  done
done
read -r -a wanted <<<"${STORIES:-${all[*]}}"
mkdir -p "$2"
told=0
for name in "${wanted[@]}"; do
  IFS=- read -r screen scale language theme <<<"$name"
  STORY=demo STORY_SCREEN=$screen STORY_SCALE=$scale STORY_LANG=$language STORY_THEME=$theme \
    bash "$here/story.sh" "$1" "$2/$name" openbox >"$2/$name.log" 2>&1 ||
    { tail -5 "$2/$name.log" >&2; echo "stories: $name failed, see $2/$name.log" >&2; exit 1; }
  told=$((told + 1))
done
echo "stories: $told told in $2"
