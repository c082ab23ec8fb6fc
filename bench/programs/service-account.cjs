// Stands in for the kubelet's mount: the files of the pod's service account are read from BENCH_SERVICE_ACCOUNT.
const files = require('node:fs/promises')

const mount = '/var/run/secrets/kubernetes.io/serviceaccount'
const { readFile } = files
files.readFile = (path, ...rest) =>
  readFile(typeof path === 'string' ? path.replace(mount, process.env.BENCH_SERVICE_ACCOUNT) : path, ...rest)
