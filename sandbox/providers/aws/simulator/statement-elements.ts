/** The elements of a policy statement ("IAM JSON policy element reference", IAM user guide). */
export const statementElements: readonly string[] = [
  'Sid',
  'Effect',
  'Principal',
  'NotPrincipal',
  'Action',
  'NotAction',
  'Resource',
  'NotResource',
  'Condition',
]
