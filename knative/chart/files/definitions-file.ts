import { kinds } from '../../../shared/contract/kinds.ts'
import { functionService } from '../../../shared/runtime/runtime.ts'
import { routedTypes } from '../../../shared/secondary/secondary.ts'
import {
  choosesImages,
  compactPrograms,
  dependencyRules,
  functionRules,
  healthJsonOf,
  processEnvironment,
  reachLabels,
  servedObjectsOf,
  webhookComponents,
} from '../../knative.ts'
import type { Installable } from '../deployment-of-values.ts'
import { dataFile } from './data-file.ts'

/**
 * `definitions.yaml` of a chart: the part of the definitions that its templates need, and the defaults of its values.
 * Helm's --reuse-values and null remove those of values.yaml.
 */
export const definitionsFile = ({ functions, webhooks }: Installable, values: object): string =>
  dataFile(
    {
      ...(functions.length > 0 && { functions: functionsPart(functions) }),
      components: Object.fromEntries(
        webhookComponents(webhooks).map(({ name, inShoots, configurations, rules }) => [
          name,
          {
            inShoots,
            configurations,
            ...(webhooks.some(one => one.component === name && choosesImages(one)) && {
              choosesImages: true,
            }),
            rules: rules.map(({ rule }) => rule),
          },
        ]),
      ),
      environment: Object.fromEntries(
        Object.entries(processEnvironment).map(([of, variables]) => [of, namedValues(variables)]),
      ),
      values,
    },
    'The definitions, for the templates.',
  )

const functionsPart = (functions: Installable['functions']) =>
  Object.fromEntries(
    compactPrograms(functions).flatMap(program =>
      program.functions.map(definition => {
        const { name, kind, settings, logs } = definition
        const { env, reaches } = functionService(definition.service)
        const health = healthJsonOf({ functions: [definition] })
        const dependencies = dependencyRules([definition])
        return [
          name,
          {
            compactProgram: program.name,
            kind,
            plural: kinds[kind].plural,
            types: routedTypes(definition),
            served: servedObjectsOf({ functions: [definition] }),
            ...(health !== undefined && { health: health.slice(1, -1) }),
            ...(reaches.length > 0 && { podLabels: reachLabels(reaches) }),
            ...(env.length > 0 && { env: namedValues(env) }),
            ...('webhooksNamespace' in settings.shape && { webhooksNamespace: true }),
            ...(choosesImages(definition) && { choosesImages: true }),
            ...(logs && { logs }),
            rules: functionRules(definition).map(({ rule }) => rule),
            ...(dependencies.length > 0 && { dependencies: dependencies.map(({ rule }) => rule) }),
          },
        ] as const
      }),
    ),
  )

const namedValues = (variables: readonly { readonly name: string; readonly value: string }[]) =>
  Object.fromEntries(variables.map(({ name, value }) => [name, value]))
