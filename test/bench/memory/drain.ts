import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { functionProcesses } from '../../../sandbox/seed/seed.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { annotations } from '../../../shared/contract/constants.ts'
import { allCrds } from '../../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { parseStepAnnotation } from '../../../shared/contract/step-annotation.ts'
import { createKubernetes, type KubernetesObject, keyOf } from '../../../shared/kubernetes/kubernetes.ts'
import { sampleObject } from '../../lifecycle/sample-objects.ts'
import { atMost, type Benchmark, below } from '../figure.ts'
import { postEvent } from '../post-event.ts'
import { reconcileMessage } from '../reconcile-message.ts'
import { namespace, shootObjects } from '../shoot.ts'

/**
 * The duration of a step in seconds, for ten objects each: one below the grace period of an ending process, one near
 * the step's own limit.
 */
const lengths = [5, 55] as const
const each = 10
/** The wait after the events are sent until all are claimed. */
const claimedMs = 3_000

/** Measures the outcome of 20 steps when their process receives SIGTERM. */
export const drain: Benchmark = {
  name: 'memory-drain',
  run: async () => {
    const { tookMs, finished, handedBack } = await endWhileTheyRun('close')
    const killed = await endWhileTheyRun('kill')
    const all = lengths.length * each
    const given = `${each} steps of ${lengths[0]} s and ${each} of ${lengths[1]} s`
    return [
      {
        name: `SIGTERM while ${all} steps run: until the process has ended`,
        value: tookMs / 1_000,
        unit: 's',
        target: below(30),
        with: given,
      },
      { name: 'the same: finished', value: finished, unit: 'events' },
      { name: 'the same: handed back, due at once', value: handedBack, unit: 'events' },
      {
        name: 'the same: left behind with their claim',
        value: all - finished - handedBack,
        unit: 'events',
        target: atMost(0),
      },
      {
        name: `SIGKILL while ${all} steps run: left behind with their claim`,
        value: all - killed.finished - killed.handedBack,
        unit: 'events',
        with: 'each is sent again 75 s after its claim was seen',
      },
    ]
  },
}

const endWhileTheyRun = async (how: 'close' | 'kill') => {
  const { resource } = kinds.Network
  const server = createApiServer({ clock: systemClock, objects: [...allCrds(), ...shootObjects] })
  const kubernetes = createKubernetes({ transport: server.transport, clock: systemClock })
  const listener = await server.listen()
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  try {
    const kubeconfig = join(folder, 'kubeconfig')
    await writeFile(kubeconfig, server.kubeconfig(listener.url), { mode: 0o600 })
    const running = await functionProcesses({ kubeconfig })({
      name: 'bench-slow',
      file: 'test/bench/memory/programs/slow-function.ts',
    })
    const port = Number(new URL(running.url).port)
    const objects = await Promise.all(
      lengths.flatMap(seconds =>
        Array.from({ length: each }, (_, index) =>
          kubernetes.create(resource, networkOf(`network-${index}-takes-${seconds}`)),
        ),
      ),
    )
    for (const object of objects) {
      // A killed process does not answer.
      postEvent(port, reconcileMessage('Network', object)).catch(() => undefined)
    }
    await sleep(claimedMs)
    const began = performance.now()
    await running[how]()
    const tookMs = performance.now() - began
    const after = await Promise.all(objects.map(object => kubernetes.get(resource, keyOf(object))))
    return {
      tookMs,
      finished: after.filter(object => stateOf(object) === 'Succeeded').length,
      handedBack: after.filter(object => phaseOf(object) === 'waiting').length,
    }
  } finally {
    await listener.close()
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const networkOf = (name: string): KubernetesObject => {
  const sample = sampleObject('Network', { annotation: 'reconcile', namespace })
  return {
    ...sample,
    metadata: { ...sample.metadata, name },
    spec: { ...Object(sample.spec), type: 'bench-slow' },
  }
}

const stateOf = (object: KubernetesObject | undefined): unknown => {
  const { lastOperation } = (object?.status ?? {}) as { readonly lastOperation?: { readonly state?: string } }
  return lastOperation?.state
}

const phaseOf = (object: KubernetesObject | undefined) =>
  parseStepAnnotation(object?.metadata.annotations?.[annotations.step])?.phase
