import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { untilPasses } from '../../until-passes.ts'
import type { KnativeCluster } from '../knative-cluster.ts'

const services = { group: 'serving.knative.dev', version: 'v1', plural: 'services', namespaced: true }
const namespace = 'trellis'

interface Service extends KubernetesObject {
  readonly spec: {
    readonly template: {
      readonly spec: {
        readonly containers: readonly {
          readonly env: readonly { readonly name: string; readonly value: string }[]
        }[]
      }
    }
  }
}

/** Changes the environment of a function, as a new version does, and waits until its new revision serves. */
export const updateFunction = async (
  { kubernetes, problemsOf }: Pick<KnativeCluster, 'kubernetes' | 'problemsOf'>,
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> => {
  const service = (await kubernetes.get(services, { name, namespace })) as Service | undefined
  if (service === undefined) throw new Error(`there is no Service ${name}`)
  const [container] = service.spec.template.spec.containers
  const others = container?.env.filter(variable => !(variable.name in environment)) ?? []
  const env = [...others, ...Object.entries(environment).map(([name, value]) => ({ name, value }))]
  const changed = await kubernetes.patch(
    services,
    { name, namespace },
    { spec: { template: { spec: { containers: [{ ...container, env }] } } } },
  )
  await untilPasses(async () => {
    const problems = await problemsOf([changed])
    if (problems.length > 0) throw new Error(problems.join(', '))
  })
}
