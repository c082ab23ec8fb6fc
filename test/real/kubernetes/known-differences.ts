/**
 * Where the API server of the sandbox answers otherwise than kube-apiserver, by `METHOD title` of the exchange, with
 * what kube-apiserver does. Each is asserted as a difference: what is mended has to go from here.
 */
export const knownDifferences: Readonly<Record<string, string>> = {
  'GET a core resource that is not there': 'in a group that is built in the 404 is a Status',
  'GET an empty list': 'the metadata of a list of custom resources always have `continue`',
  'GET a limit below zero': 'the metadata of a list of custom resources always have `continue`',
  'DELETE of all with a label': 'the metadata of a list of custom resources always have `continue`',
  'GET a match of version 0': '422: Exact is forbidden for version 0',
  'GET a match with a continue token': '422: a match is forbidden beside a continue token',
  'GET a namespaced path of a cluster resource': 'nothing is served there: 404 as plain text',
  'GET the discovery of the version': 'verbs of custom resources come in an order of their own',
  'POST a Widget with a bad generateName': 'metadata.generateName is at fault, too',
  'POST a POST to an object': 'taken for a creation: 409 AlreadyExists',
  'PUT a PUT to a collection': '400: name must be provided',
  'PATCH a PATCH of a collection': '400: name must be provided',
  'PATCH with another version of the API': '422: apiVersion is at fault',
  'PATCH of metadata that is no object': '422: the field `patch` is at fault',
  'PATCH with an unknown field, strictly': '422: the field `patch` is at fault',
  'PATCH of the status that is no object': 'the field is `status`, without a dot behind it',
  'DELETE with two policies': '422: propagationPolicy and orphanDependents exclude one another',
  'POST a Secret with a bad key': '422: data[a b] is at fault',
  'POST a Lease without a duration': '422: spec.leaseDurationSeconds must be greater than 0',
}
