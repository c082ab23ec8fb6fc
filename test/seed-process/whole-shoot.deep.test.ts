import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { linesOf, wholeAccount } from '../../sandbox/providers/aws/demo/whole-account.ts'
import { during, wholeShoot } from '../../sandbox/providers/aws/demo/whole-shoot.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { type ProgramStarter, programStarter } from '../../shared/runner/runner.ts'
import { startWorld } from '../shoot/whole-shoot-world.ts'
import { writePrograms } from './seed-process-world.ts'

const folder = await writePrograms('aws-compact', 'calico-compact', 'gardenlinux-compact')
const own = await mkdtemp(join(tmpdir(), 'trellis-whole-shoot-'))
afterAll(async () => {
  await rm(folder, { recursive: true })
  await rm(own, { recursive: true })
})

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
let seeds = 0

/** Starts the programs of an image, with their snapshots, for a simulated seed. */
const starterOf = (
  seed: { readonly kubeconfig: string; readonly cloudUrls: { readonly aws: string } },
  output: string[],
): ProgramStarter => {
  const kubeconfig = join(own, `kubeconfig-${seeds++}`)
  const environment = {
    ...{ KUBECONFIG: kubeconfig, AWS_ENDPOINT_URL: seed.cloudUrls.aws },
    ...{ TRELLIS_ADDRESS: '127.0.0.1', TRELLIS_PORT: '0' },
  }
  const starter = programStarter({
    ...{
      folder,
      environment: ({ name }) =>
        name === 'aws-compact' ? { ...environment, TRELLIS_WAIT_SCALE: '0.02' } : environment,
      clock: systemClock,
      log: silent,
    },
    output: line => output.push(line),
  })
  return {
    ...starter,
    // Other programs serve no object of the shoot.
    missing: async () => undefined,
    start: async (program, signal) => {
      await writeFile(kubeconfig, seed.kubeconfig)
      return starter.start(program, signal)
    },
  }
}

/** All objects of one shoot, from Infrastructure to ControlPlane, each step in a process from a bundle. */
test('a shoot is created, reconciled without a cloud write, and deleted by processes from snapshots', async () => {
  const output: string[] = []
  const started = new Set<string>()
  const lost: string[] = []
  const world = await startWorld({
    seedProcess: { starter: seed => starterOf(seed, output) },
    observe: (_, seen) => {
      if (seen.part !== 'runner') return
      const { event } = seen
      if (event.type === 'started') started.add(event.program)
      if (event.type === 'ended' && event.reason === 'crashed') lost.push(event.program)
      if (event.type === 'delivery' && ['refused', 'dropped'].includes(event.outcome))
        lost.push(event.outcome)
    },
  })
  try {
    const { aws, first } = world
    const before = await wholeAccount(aws)
    await first.gardenlet.prepareSeed()
    await first.gardenlet.reconcile(wholeShoot)
    expect(new Set(Object.values(await first.states()))).toEqual(new Set(['Create Succeeded']))

    world.cloudWrites()
    await first.gardenlet.reconcile(wholeShoot)
    expect(world.cloudWrites()).toEqual({})

    await first.gardenlet.delete(during(wholeShoot, 'Delete'))
    await first.gardenlet.removeSeed()
    expect(linesOf(await wholeAccount(aws))).toEqual(linesOf(before))
    expect(lost).toEqual([])
    expect([...started].toSorted()).toEqual(['aws-compact', 'calico-compact', 'gardenlinux-compact'])
  } catch (error) {
    console.log(output.slice(-30).join('\n'))
    throw error
  } finally {
    await world.close()
  }
}, 240_000)
