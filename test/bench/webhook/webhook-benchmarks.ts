import type { Benchmark } from '../figure.ts'
import { largestReviews } from './largest-reviews.ts'
import { shootWarnings } from './shoot-warnings.ts'
import { webhookMemory } from './webhook-memory.ts'
import { webhookReviews } from './webhook-reviews.ts'

export const webhookBenchmarks: readonly Benchmark[] = [
  webhookReviews,
  shootWarnings,
  largestReviews,
  webhookMemory,
]
