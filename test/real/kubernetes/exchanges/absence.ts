import type { Exchange } from '../exchange.ts'
import { apiVersion, get, group, namespace, secrets, widgets } from './requests.ts'

/** Objects that do not exist, or not yet. */
export const absence: readonly Exchange[] = [
  get('an object that is not there', `${widgets}/none`),
  get('an object in a namespace that is not there', `/apis/${apiVersion}/namespaces/none/widgets/none`),
  get('a resource that is not there', `/apis/${apiVersion}/namespaces/${namespace}/thingies`),
  get('a version that is not there', `/apis/${group}/v9/widgets`),
  get('a group that is not there', '/apis/none.example.com/v1/things'),
  get('a core resource that is not there', `/api/v1/namespaces/${namespace}/thingies`),
  get('a path that is not there', '/nothing'),
  get('a subresource that is not there', `${widgets}/a/scale`),
  get('an empty list', widgets),
  get('an empty list of Secrets', secrets),
  get('an unknown resource of a group that is built in', '/apis/coordination.k8s.io/v1/nothing'),
  get('an unknown resource of a custom group', `/apis/${apiVersion}/nothing`),
  get('an unknown version of a custom group', `/apis/${group}/v9/widgets`),
  get('an unknown group', '/apis/unknown.example.com/v1/widgets'),
  get('Namespaces in a namespace', `/api/v1/namespaces/${namespace}/namespaces`),
]
