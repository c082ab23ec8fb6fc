import { createColors } from 'picocolors'
import type { PaintPlan } from '../../terraform-free-infra/engine/engine.ts'

const colors = createColors(true)

type PlanPart = Parameters<PaintPlan>[0]

const colorOf: Readonly<Record<PlanPart, (text: string) => string>> = {
  create: colors.green,
  update: colors.yellow,
  replace: colors.magenta,
  delete: colors.red,
  wait: colors.cyan,
  adopt: colors.cyan,
  forget: colors.yellow,
  missing: colors.red,
  detail: colors.dim,
}

/** The colours of a plan; the caller decides whether to use them. */
export const paint: PaintPlan = (part, text) => colorOf[part](text)
