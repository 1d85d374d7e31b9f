#!/bin/sh
# Installs the programs of a cluster where they are missing: only as root, and only where there is apt.
# Nothing that a package brings is started. Who goes without them is told so, and the tests that need
# them are skipped.

PATH="$PATH:/usr/sbin:/sbin"
POLICY=/usr/sbin/policy-rc.d

lacks=
for one in etcd patroni haproxy pgbouncer; do
    command -v "$one" >/dev/null || lacks="$lacks $one"
done
test -n "$lacks" || exit 0

if test "$(id -u)" -eq 0 && command -v apt-get >/dev/null; then
    echo "installing$lacks (once)"
    if ! test -e "$POLICY"; then
        # Debian asks this before it starts a service: 101 is no.
        printf '#!/bin/sh\nexit 101\n' >"$POLICY"
        chmod +x "$POLICY"
        trap 'rm -f "$POLICY"' EXIT
    fi
    apt-get -qq update &&
        apt-get -qq install --yes --no-install-recommends etcd-server patroni haproxy pgbouncer \
            >/dev/null 2>&1 && exit 0
fi
echo "No fail-over is tried without$lacks: apt-get install etcd-server patroni haproxy pgbouncer"
