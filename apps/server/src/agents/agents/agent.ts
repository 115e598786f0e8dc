import type { Id } from '../../foundation/ids.ts';
import type { EpochMicroseconds } from '../../foundation/instant.ts';

export type AgentId = Id<'agent'>;

/** The settings that can be changed later. */
export interface AgentSettings {
  readonly displayName: string;
  readonly description: string;
  readonly systemPrompt: string;
  readonly llmProvider: string;
  readonly categories: readonly string[];
  /** Whether it answers from the public record. */
  readonly readsPublicRecord: boolean;
  /** Whether it answers from files, as far as the caller can read them. */
  readonly readsFiles: boolean;
  /** The projects whose files it searches; null: all. */
  readonly fileProjects: readonly string[] | null;
}

export interface Agent extends AgentSettings {
  readonly id: AgentId;
  readonly name: string;
  readonly slug: string;
  readonly templateName: string;
  /** The username of the creator. */
  readonly createdBy: string;
  readonly createdAt: EpochMicroseconds;
  readonly updatedAt: EpochMicroseconds;
}

/** The values that come from a template, in addition to the settings. */
export type AgentTemplateFields = Pick<Agent, 'templateName'>;

/** What a version of an agent stores: everything that a change can set. */
export type VersionedSettings = AgentSettings & AgentTemplateFields;

export function versionedSettings(agent: Agent): VersionedSettings {
  const { displayName, description, systemPrompt, llmProvider, categories } = agent;
  const { readsPublicRecord, readsFiles, fileProjects, templateName } = agent;
  const texts = { displayName, description, systemPrompt, llmProvider, categories, templateName };
  return { ...texts, readsPublicRecord, readsFiles, fileProjects };
}

const slugCharsMax = 60;

/** Used if another agent has the plain slug. */
export function slugVariant(slug: string, id: AgentId): string {
  const digits = id.slice(-6);
  return `${Array.from(slug)
    .slice(0, slugCharsMax - digits.length - 1)
    .join('')}-${digits}`;
}

/** Lowercase letters and digits of any script, separated by hyphens; the id if a name has neither. */
export function slugOf(name: string, id: AgentId): string {
  const words =
    name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const slug = Array.from(words.join('-')).slice(0, slugCharsMax).join('').replace(/-$/, '');
  return slug === '' ? id : slug;
}
