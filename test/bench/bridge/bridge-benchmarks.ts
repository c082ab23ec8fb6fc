import type { Benchmark } from '../figure.ts'
import { apiServerFrozen } from './api-server-frozen.ts'
import { apiServerRestarted } from './api-server-restarted.ts'
import { burst } from './burst.ts'
import { changeToSink } from './change-to-sink.ts'
import { existBeforeStart } from './exist-before-start.ts'
import { handover } from './handover.ts'
import { heavyObjects } from './heavy-objects.ts'
import { idle } from './idle.ts'
import { killed } from './killed.ts'
import { manyCompleted, manyUnclaimed } from './many-objects.ts'
import { sinkComesBack } from './sink-comes-back.ts'
import { sinkDown } from './sink-down.ts'
import { slowObject } from './slow-object.ts'
import { slowSink } from './slow-sink.ts'
import { steadyLoad } from './steady-load.ts'

/** The cost and the resilience of the bridge, with a real kube-apiserver. */
export const bridgeBenchmarks: readonly Benchmark[] = [
  sinkComesBack,
  slowSink,
  steadyLoad,
  changeToSink,
  idle,
  manyCompleted,
  manyUnclaimed,
  existBeforeStart,
  killed,
  sinkDown,
  apiServerRestarted,
  apiServerFrozen,
  handover,
  burst,
  slowObject,
  heavyObjects,
]
