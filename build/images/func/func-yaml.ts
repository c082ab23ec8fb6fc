import { stringify } from 'yaml'
import { type FunctionDefinition, functionService } from '../../../shared/runtime/runtime.ts'
import { nodeFlags } from '../node-flags.ts'

/** The newest form that `func` knows, in pkg/functions/function_migrations.go of github.com/knative/func. */
const specVersion = '0.36.0'

export interface FuncProject {
  readonly definition: FunctionDefinition
  readonly version: string
  /** Class of broker and name: what `func subscribe` calls its source. */
  readonly broker: string
}

/**
 * What Knative's `func` reads of a project, func.yaml: a folder of `dist/bundles` is one, so `func build` and `func deploy`
 * take a function as it is bundled. Account and rights are those of `deploy/knative/base/functions`, which are applied first.
 * `created` is required and says nothing here: 1970, so that the file is the same each time.
 */
export const funcYaml = ({ definition, broker }: FuncProject): string => {
  const { name, kind, types } = definition
  const { maxScale } = functionService(definition.service)
  return stringify({
    specVersion,
    name,
    runtime: 'node',
    created: '1970-01-01T00:00:00Z',
    invoke: 'cloudevent',
    build: { builder: 'pack', buildEnvs: [{ name: 'BP_NODE_VERSION', value: '24.*' }] },
    run: { envs: [{ name: 'TRELLIS_LOG_LEVEL', value: 'info' }] },
    deploy: {
      serviceAccountName: name,
      healthEndpoints: { liveness: '/health/liveness', readiness: '/health/readiness' },
      options: { scale: { min: 0, max: maxScale.value } },
      subscriptions: types.map(provider => ({ source: broker, filters: { kind, provider } })),
    },
  })
}

/** Buildpacks start `npm start`; there is nothing to install. */
export const funcPackage = ({ definition, version }: FuncProject): string =>
  `${JSON.stringify(
    {
      name: definition.name,
      version,
      private: true,
      license: 'Apache-2.0',
      engines: { node: '24.x' },
      scripts: { start: ['node', ...nodeFlags, 'main.cjs'].join(' ') },
    },
    null,
    2,
  )}\n`
