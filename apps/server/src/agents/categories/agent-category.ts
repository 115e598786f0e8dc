/** The purpose of an agent. The installation defines the list, for all organizations. */
export const agentCategories = [
  { id: 'news', name: 'News', description: 'Follows the industry and answers from the public record.' },
  {
    id: 'research',
    name: 'Research',
    description: 'Gathers sources, compares claims and says what is known.',
  },
  { id: 'writing', name: 'Writing', description: 'Drafts, edits and translates.' },
  { id: 'teaching', name: 'Teaching', description: 'Explains, asks and practises with a learner.' },
  { id: 'support', name: 'Support', description: "Answers questions from an organization's own files." },
  { id: 'engineering', name: 'Engineering', description: 'Reads and writes code and reviews changes.' },
] as const;

export type AgentCategoryId = (typeof agentCategories)[number]['id'];

export function isAgentCategory(id: string): id is AgentCategoryId {
  return agentCategories.some((category) => category.id === id);
}
