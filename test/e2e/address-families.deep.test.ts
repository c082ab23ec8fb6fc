import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const kubeconfig = `${root}cli/testing/nowhere.kubeconfig`
const seed = `TRELLIS_KUBECONFIG=${kubeconfig}`

/** The programs with their default address, by their ports in a network of their own. */
const programs: Readonly<Record<number, string>> = {
  8081: `KUBECONFIG=${kubeconfig} "$NODE" functions/main.ts functions/aws/dnsrecord/function.ts`,
  8082: `KUBECONFIG=${kubeconfig} "$NODE" functions/main.ts functions/ubuntu/operatingsystemconfig/function.ts`,
  8083: `${seed} "$NODE" bridge/main.ts --seed any --sink http://localhost:9`,
  8084: `${seed} TRELLIS_PROBE_PORT=8084 "$NODE" functions/webhooks-main.ts --url https://localhost:9443`,
}

/** Starts all programs in a network, and prints the loopback addresses that reach each port. */
const inNetwork = (setUp: string) => `
ip link set lo up; ${setUp}
${Object.entries(programs)
  .map(([port, program]) => `PORT=${port} ${program} >/dev/null & programs="$programs $!"`)
  .join('\n')}
"$NODE" -e '
const { connect } = require("node:net")
const reaches = (host, port) => new Promise(resolve => {
  const socket = connect(port, host).once("connect", () => resolve(!socket.destroy().connecting)).once("error", () => resolve(false))
})
const reached = async port => {
  const open = []
  for (const host of ["127.0.0.1", "::1"]) if (await reaches(host, port)) open.push(host)
  return open
}
const probe = async port => {
  // Again after the first success: the program may have begun to listen between two attempts.
  if ((await reached(port)).length > 0) return [port, (await reached(port)).join(" ")]
  return new Promise(resolve => setTimeout(() => resolve(probe(port)), 500))
}
Promise.all([${Object.keys(programs)}].map(probe)).then(all => console.log(JSON.stringify(Object.fromEntries(all))))'
kill -9 $programs`

const works = (...args: readonly string[]) => spawnSync('unshare', ['-rn', ...args]).status === 0
const isAllowed = works('true')
/** In CI, a missing program is an error. */
const isPossible = isAllowed && (works('ip', 'link') || process.env.CI === 'true')
const missing = isAllowed ? 'there is no ip on the PATH' : 'network namespaces are not allowed'

describe.skipIf(!isPossible)(
  `programs with their default address${isPossible ? '' : ` (skipped: ${missing})`}`,
  () => {
    test.each([
      ['only IPv6', 'ip addr del 127.0.0.1/8 dev lo', '::1'],
      [
        'only IPv4',
        'ip addr del ::1/128 dev lo; echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6',
        '127.0.0.1',
      ],
      ['both families', 'true', '127.0.0.1 ::1'],
    ])('are reached in a network with %s', async (_, setUp, addresses) => {
      const env = { PATH: process.env.PATH, NODE: process.execPath }
      const args = ['-rn', 'sh', '-c', inNetwork(setUp)]
      const child = spawn('unshare', args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
      expect(JSON.parse(await text(child.stdout))).toEqual(
        Object.fromEntries(Object.keys(programs).map(port => [port, addresses])),
      )
    })
  },
)
