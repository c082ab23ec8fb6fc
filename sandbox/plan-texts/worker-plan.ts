import { printable } from '../../shared/text/printable.ts'
import type {
  DeploymentAction,
  Difference,
  HashCause,
  WorkerAction,
  WorkerPlan,
} from '../../shared/worker/worker.ts'
import {
  type Change,
  changeJson,
  formatLines,
  type PlanLine,
} from '../../terraform-free-infra/engine/engine.ts'
import type { ObjectPlan } from '../providers/provider.ts'
import { wrapWords } from '../terminal/wrap-words.ts'

/** Returns the printed plan of a Worker, for any cloud. */
export const workerPlan = (plan: WorkerPlan, destroying: boolean): ObjectPlan => {
  const { actions, problems, machines, hashed, writes } = plan
  return {
    where: '',
    // A pool with a problem counts as a difference.
    differs: actions.length > 0 || problems.length > 0,
    text: paint => {
      const lines = [...problems.map(problemLine), ...actions.map(actionLine)]
      const text = formatLines(lines, paint)
      return lines.length === 0 ? text : `${text}${machinesLine(machines)}\n`
    },
    json: {
      destroying,
      actions: actions.map(action => {
        const { kind, sentence, pool, deployments, why } = action
        return {
          kind,
          sentence,
          after: [],
          changes: [...causesOf(action), ...differencesOf(action)].map(changeJson),
          ...(pool !== undefined && { pool }),
          deployments,
          ...(why && { why }),
        }
      }),
      problems,
      machines,
      ...(hashed && { hashed }),
      writes,
    },
  }
}

/** The longest line of folded text, in characters. */
const longestLine = 96

const problemLine = ({ pool, message, codes }: WorkerPlan['problems'][number]): PlanLine => {
  const text = codes.length === 0 ? message : `${message} (${codes.join(', ')})`
  const sentence = `pool ${pool} has a problem and is unchanged; nothing is deleted meanwhile`
  return {
    kind: 'missing',
    counts: false,
    sentence,
    below: wrapWords(printable(text), longestLine - 4).map(line => `    ${line}`),
    changes: [],
    after: [],
  }
}

/** The input of the name of the node agent's Secret (docs/contract/workers.md#hash). */
const notProved = 'a class does not record it (a hash of machine type, image, root volume, Kubernetes)'

const actionLine = (action: WorkerAction): PlanLine => {
  const { kind, sentence, deployments, why } = action
  const because = why?.isProved ? 'because of' : 'perhaps:'
  return {
    kind,
    sentence,
    after: [],
    changes: [
      ...causesOf(action).map(cause => ({ ...cause, attribute: `${because} ${cause.attribute}` })),
      ...(why === undefined || why.isProved
        ? []
        : [
            {
              attribute: 'not proved',
              before: undefined,
              after: notProved,
            },
          ]),
      ...differencesOf(action),
      ...deployments.map(deploymentLine),
    ],
  }
}

const causesOf = ({ why }: WorkerAction): readonly Change[] =>
  why?.causes.map((cause: HashCause) => ({
    attribute: cause.name,
    // If the causes are not proved, the former value is unknown.
    before: cause.from ?? (why.isProved ? 'none' : undefined),
    after: cause.to ?? 'none',
  })) ?? []

const differencesOf = ({ differences }: WorkerAction): readonly Change[] =>
  differences.map(({ path, from, to }: Difference) => ({
    attribute: path,
    before: shown(from),
    after: shown(to),
  }))

const shown = (value: unknown): string | number | boolean | undefined => {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return JSON.stringify(value)
}

const deploymentLine = ({ name, machines, replicas, atOnce }: DeploymentAction): Change => {
  const all = countOf(machines)
  const limits = [
    ...(atOnce && atOnce.surge > 0 ? [`${atOnce.surge} more`] : []),
    ...(atOnce && atOnce.unavailable > 0 ? [`${atOnce.unavailable} fewer`] : []),
  ].join(' and ')
  const rolls = atOnce ? `${all}, at most ${limits} at once` : all
  const scales = replicas && `${replicas.from} → ${countOf(replicas.to)}`
  return {
    attribute: name,
    before: undefined,
    after: scales === undefined ? rolls : atOnce ? `${rolls}; then ${scales}` : scales,
  }
}

const countOf = (count: number): string => `${count} machine${count === 1 ? '' : 's'}`

const machinesLine = ({ replaced, updatedInPlace, made, deleted }: WorkerPlan['machines']): string => {
  const counts = [
    [replaced, 'replaced'],
    [updatedInPlace, 'updated in place'],
    [made, 'made'],
    [deleted, 'deleted'],
  ] as const
  const named = counts.filter(([count]) => count > 0).map(([count, how]) => `${count} ${how}`)
  return `Machines: ${named.length === 0 ? 'all unchanged' : named.join(', ')}`
}
