/** A column of `kubectl get`, as in a CRD's `additionalPrinterColumns`. */
export interface CrdPrinterColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'date'
  readonly jsonPath: string
  readonly description: string
  /** Above 0: shown only with `-o wide`. */
  readonly priority?: number
}

export const column = (name: string, jsonPath: string, description: string): CrdPrinterColumn => ({
  name,
  type: 'string',
  jsonPath,
  description,
})

export const countColumn = (name: string, jsonPath: string, description: string): CrdPrinterColumn => ({
  ...column(name, jsonPath, description),
  type: 'integer',
})

export const type = column('Type', '.spec.type', 'the responsible backend')
export const region = column('Region', '.spec.region', 'region of the cloud')

/** The column is `State` for the backup kinds and `Status` for the others. */
export const state = (name: 'State' | 'Status'): CrdPrinterColumn =>
  column(name, '.status.lastOperation.state', 'state of the last operation')

export const age: CrdPrinterColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
  description: 'time since the object was created',
}
