import type { Benchmark } from '../figure.ts'
import { webhookMemory } from './webhook-memory.ts'
import { webhookReviews } from './webhook-reviews.ts'

export const webhookBenchmarks: readonly Benchmark[] = [webhookReviews, webhookMemory]
