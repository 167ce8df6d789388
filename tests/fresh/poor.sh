#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# poor.sh: what is missing is said in one sentence that names it, and the status is 1 or 2.
# refused WORDS COMMAND...
refused() {
    words=$1
    shift
    if "$@" >/tmp/said 2>&1; then echo "not refused: $*" && exit 1; fi
    cat /tmp/said
    grep -q "$words" /tmp/said
    [ "$(grep -vc '^make: ' /tmp/said)" -le 2 ] # the sentence, and what it was about to do
}
chmod -R a+rwX .
git config --global --add safe.directory '*' 2>/dev/null || true
refused 'Neither root nor sudo here' su -s /bin/sh nobody -c 'make demo'
refused '/usr/local cannot be written to, and there is no sudo' su -s /bin/sh nobody -c 'make install'
rm -f /var/cache/apt/archives/*.deb # kept packages need no network
refused 'no network' unshare --net make demo
apt-get update -qq
apt-get install -qq -y --no-install-recommends cmake gcc libc6-dev >/dev/null 2>&1
mkdir /tmp/old
printf '#!/bin/sh\necho cmake version 3.18.4\n' >/tmp/old/cmake
chmod +x /tmp/old/cmake
refused 'CMake 3.18.4.*3.22' env PATH="/tmp/old:$PATH" make demo
