// Stands in for the kubelet's mount: the files of the pod's service account are read from BENCH_SERVICE_ACCOUNT.
const mount = '/var/run/secrets/kubernetes.io/serviceaccount'
const located = path =>
  typeof path === 'string' ? path.replace(mount, process.env.BENCH_SERVICE_ACCOUNT) : path

const files = require('node:fs/promises')
const { readFile } = files
files.readFile = (path, ...rest) => readFile(located(path), ...rest)

// client-node reads them synchronously.
const syncFiles = require('node:fs')
const { readFileSync } = syncFiles
syncFiles.readFileSync = (path, ...rest) => readFileSync(located(path), ...rest)
