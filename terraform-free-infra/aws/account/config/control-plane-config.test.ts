import { expect, test } from 'vitest'
import { controlPlaneConfigProblems, controlPlaneConfigSchema } from './control-plane-config.ts'
import { apiVersion } from './fields.ts'

const problemsOf = (fields: object, minor = 33) =>
  controlPlaneConfigProblems(
    controlPlaneConfigSchema.parse({ apiVersion, kind: 'ControlPlaneConfig', ...fields }),
    minor,
  ).map(({ path, kind = 'invalid' }) => `${path} ${kind}`)

test.each<[object, readonly string[]]>([
  [{}, []],
  [{ cloudControllerManager: null, loadBalancerController: { ingressClassName: null } }, []],
  [{ cloudControllerManager: { featureGates: { AnyVolumeDataSource: false } } }, []],
  [
    { cloudControllerManager: { featureGates: { Foo: true, 'a.b': true } } },
    ['cloudControllerManager.featureGates.Foo invalid', 'cloudControllerManager.featureGates["a.b"] invalid'],
  ],
  [
    { loadBalancerController: { ingressClassName: '' } },
    ['loadBalancerController.ingressClassName required'],
  ],
  [
    { loadBalancerController: { ingressClassName: 'a'.repeat(254) } },
    ['loadBalancerController.ingressClassName invalid'],
  ],
])('%j', (fields, problems) => expect(problemsOf(fields)).toEqual(problems))
