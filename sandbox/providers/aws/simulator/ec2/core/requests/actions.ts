type Ec2Input = Readonly<Record<string, unknown>>

const hasTags = ({ TagSpecifications }: Ec2Input): boolean =>
  Array.isArray(TagSpecifications) && TagSpecifications.some(({ Tags }) => Tags?.length > 0)

/**
 * Returns the actions that a call needs permission for. Tags on a new resource need `ec2:CreateTags` ("Grant permission
 * to tag Amazon EC2 resources during creation"), an instance profile needs `iam:PassRole` ("Grant permissions to pass
 * an IAM role to an instance", both EC2 user guide).
 */
export const actionsOf = (operation: string, input: Ec2Input): readonly string[] => [
  `ec2:${operation}`,
  ...(hasTags(input) ? ['ec2:CreateTags'] : []),
  ...(input.IamInstanceProfile === undefined ? [] : ['iam:PassRole']),
]
