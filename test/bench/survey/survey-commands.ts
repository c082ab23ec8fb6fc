import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, type Benchmark, type Row } from '../figure.ts'
import { usageOfTree } from '../process-usage.ts'
import { manyShoots } from './many-shoots.ts'

const kinds = ['infrastructure', 'dnsrecord', 'controlplane', 'worker']

/** Measures `trellis drift` and `trellis upgrade` for a seed. The API server and AWS are in this process. */
export const surveyCommands: Benchmark = {
  name: 'survey',
  run: async ({ shoots }) => {
    const { kubeconfig, endpoint, close } = await manyShoots(shoots)
    const seed = ['--kubeconfig', kubeconfig, '--endpoint', endpoint]
    const withShoots = `${shoots} shoots × ${kinds.length} kinds, each in its account`
    try {
      return [
        ...(await measure(
          'drift',
          ['drift', '--all', ...kinds.flatMap(kind => ['--kind', kind]), ...seed],
          withShoots,
        )),
        ...(await measure('upgrade', ['upgrade', '--to', '.', '--kinds', kinds.join(), ...seed], withShoots)),
      ]
    } finally {
      await close()
    }
  },
}

const measure = async (
  name: string,
  args: readonly string[],
  conditions: string,
): Promise<readonly Row[]> => {
  const began = performance.now()
  const child = spawn(process.execPath, ['cli/trellis.mjs', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => output.push(text))
  const ended = once(child, 'close')
  let [cpuMs, peakMb] = [0, 0]
  while (child.exitCode === null && child.signalCode === null) {
    // A process may end while it is read.
    const usage = await usageOfTree(child.pid ?? 0).catch(() => undefined)
    cpuMs = Math.max(cpuMs, usage?.cpuMs || 0)
    peakMb = Math.max(peakMb, usage?.proportionalMb || 0)
    await sleep(200)
  }
  await ended
  const said = output.join('')
  // The copies of ControlPlanes have differences, because names in their compressed manifests are not replaced.
  if (child.exitCode !== 0 && child.exitCode !== 1)
    return [{ name, missing: `exit code ${child.exitCode}: ${said.slice(-300)}` }]
  const more = { with: `${conditions}: ${said.trim().split('\n').at(-1)}` }
  return [
    {
      name: `${name}: time`,
      value: (performance.now() - began) / 1000,
      unit: 's',
      target: atMost(600),
      ...more,
    },
    { name: `${name}: CPU`, value: cpuMs, unit: 'ms CPU' },
    { name: `${name}: peak memory`, value: peakMb, unit: 'MB', target: atMost(400) },
  ]
}
