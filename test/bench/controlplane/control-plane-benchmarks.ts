import type { Benchmark } from '../figure.ts'
import { lifeOfControlPlanes } from './life-of-control-planes.ts'
import { manyControlPlanes } from './many-control-planes.ts'
import { unchangedControlPlane } from './unchanged-control-plane.ts'

/** The cost of ControlPlanes, compared with the Go extension. */
export const controlPlaneBenchmarks: readonly Benchmark[] = [
  unchangedControlPlane,
  lifeOfControlPlanes,
  manyControlPlanes,
]
