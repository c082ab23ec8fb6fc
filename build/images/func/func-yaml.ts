import { stringify } from 'yaml'
import { type FunctionDefinition, functionService } from '../../../shared/runtime/runtime.ts'
import { nodeFlags } from '../node-flags.ts'

/** The newest version that `func` supports, in pkg/functions/function_migrations.go of github.com/knative/func. */
const specVersion = '0.36.0'

export interface FuncProject {
  readonly definition: FunctionDefinition
  readonly version: string
  readonly license: string | undefined
  /** Class and name of the broker, in the format of `func subscribe`'s source. */
  readonly broker: string
}

/**
 * Returns the project file for Knative's `func`, func.yaml. A folder of `dist/bundles` is a project, so `func build`
 * and `func deploy` use a function as bundled. Account and permissions come from `knative/base/functions`, which
 * are applied first. `created` is required but unused: 1970, so that the file is reproducible.
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

/** Buildpacks run `npm start`. Nothing has to be installed. */
export const funcPackage = ({ definition, version, license }: FuncProject): string =>
  `${JSON.stringify(
    {
      name: definition.name,
      version,
      private: true,
      license,
      engines: { node: '24.x' },
      scripts: { start: ['node', ...nodeFlags, 'main.cjs'].join(' ') },
    },
    null,
    2,
  )}\n`
