/**
 * Shell scripts that run on nodes. The texts are those of gardener-extension-networking-calico v1.60, under the Apache
 * License 2.0: a different byte would roll calico-node on each node of every migrated shoot.
 */

/** Detects which of the two kinds of iptables rules the kubelet wrote, so that ours use the same. */
const chooseBackend = [
  "nft_kubelet_rules=$( (iptables-nft-save -t mangle; ip6tables-nft-save -t mangle ) 2>/dev/null | grep -E '^:(KUBE-IPTABLES-HINT|KUBE-KUBELET-CANARY)')",
  'if [ -n "$nft_kubelet_rules" ]; then',
  '  backend="nft"',
  'else',
  '  backend="legacy"',
  'fi',
]

const linesOf = (...lines: readonly string[]): string => `${lines.join('\n')}\n`

/** Deletes the routes from a time without an overlay, which no other program knows. */
export const cleanUpRoutes =
  "IFS=$'\n';for i in $(ip route | grep 'proto bird');do unset IFS;ip route del $i;done"

const logRule = (family: '4' | '6', protocol: string, option: string, type: string): string =>
  `rulespecV${family}=("-p" "${protocol}" "${option}" "${type}" "-m" "comment" "--comment" "gardener log mtu problems for ipv${family}" "-j" "LOG" "--log-prefix" "PACKET-TOO-BIG ")`

const ruleScript = (family: '4' | '6', command: string): readonly string[] => {
  const rule = `"\${rulespecV${family}[@]}"`
  return [
    `if ${command}-$backend -t filter -C OUTPUT ${rule} 2>/dev/null; then`,
    `  echo "IPv${family} MTU logging rule already exists"`,
    'else',
    `  ${command}-$backend -t filter -I OUTPUT ${rule}`,
    'fi',
  ]
}

/** Makes the kernel log packets that are too large for the next network. */
export const logMtuIssues = linesOf(
  ...chooseBackend,
  logRule('4', 'icmp', '--icmp-type', 'fragmentation-needed'),
  logRule('6', 'ipv6-icmp', '--icmpv6-type', 'packet-too-big'),
  ...ruleScript('4', 'iptables'),
  ...ruleScript('6', 'ip6tables'),
)

const masquerade = (command: string, bits: number): readonly string[] => {
  const rule = `-s \${POD_CIDR} -d $i/${bits} ! -o cali+ -m comment --comment "calico masquerade non-cluster" -j MASQUERADE`
  return [
    `      ${command}-$backend -t nat -C POSTROUTING ${rule} 2>/dev/null \\`,
    `      || ${command}-$backend -t nat -I POSTROUTING 1 ${rule}`,
  ]
}

/** Pods query the name servers of the node with its address, because those servers do not know pod addresses. */
export const snatToUpstreamDns = linesOf(
  ...chooseBackend,
  'sleep 15',
  "trap 'echo Received SIGTERM, exiting...' TERM",
  '(while true; do',
  "  for i in $(cat /etc/resolv.conf | grep nameserver | sed -n -e 's/^.*nameserver //p' ); do",
  `    if [[ $i =~ .*:.* ]] && [[ \${POD_CIDR} =~ .*:.* ]]; then`,
  ...masquerade('ip6tables', 128),
  `    elif [[ $i =~ ^[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+$ ]] && [[ \${POD_CIDR} =~ ^[0-9]+\\.[0-9]+\\.[0-9]+\\.[0-9]+ ]]; then`,
  ...masquerade('iptables', 32),
  '    fi',
  '  done',
  '  sleep 60',
  'done)&',
  'wait',
)

/**
 * The last report of a terminating pod may be that the network is down. This script sets the condition back to
 * available.
 */
export const ensureCondition = linesOf(
  'echo "Waiting 30s for initialization to complete..."',
  'sleep 30',
  'echo "Ensuring NetworkUnavailable condition is set correctly..."',
  'calico-node -startup',
  'echo "Finished ensuring NetworkUnavailable condition is set correctly. Going to sleep."',
  `trap 'echo "Got terminated"' TERM`,
  'sleep infinity&',
  'wait $!',
)
