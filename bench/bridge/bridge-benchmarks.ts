import type { Benchmark } from '../figure.ts'
import { changeToSink } from './change-to-sink.ts'
import { idle } from './idle.ts'
import { manySettled, manyUnclaimed } from './many-objects.ts'
import { sinkComesBack } from './sink-comes-back.ts'
import { slowSink } from './slow-sink.ts'
import { steadyLoad } from './steady-load.ts'

/** What the bridge costs, and how much it bears, beside a real kube-apiserver. */
export const bridgeBenchmarks: readonly Benchmark[] = [
  sinkComesBack,
  slowSink,
  steadyLoad,
  changeToSink,
  idle,
  manySettled,
  manyUnclaimed,
]
