import type { KubePrograms } from '../../real/programs/kube-programs.ts'
import { createAndReceive } from '../bridge/lags.ts'
import { newObjects } from '../bridge/objects.ts'
import { startBridgeSeed } from '../bridge/seed.ts'

const objects = 5_000
const perSecond = 430

/** Measures a bridge at the load of `bridge-load`, with a kube-apiserver of its own. */
export const bridgeUnderLoad = async (
  programs: KubePrograms,
  program: string,
): Promise<{ readonly cpuMsPerEvent: number; readonly residentMb: number }> => {
  const seed = await startBridgeSeed(programs)
  try {
    const sink = await seed.sink()
    const bridge = await seed.bridge(sink.url, {}, program)
    const before = await bridge.usage()
    await createAndReceive(seed, sink, newObjects('load', objects), perSecond)
    const after = await bridge.usage()
    return { cpuMsPerEvent: (after.cpuMs - before.cpuMs) / objects, residentMb: after.residentMb }
  } finally {
    await seed.close()
  }
}
