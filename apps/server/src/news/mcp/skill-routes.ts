import { skillFiles } from '@daybook/mcp/skill';
import { Type } from 'typebox';

import type { RouteDeclaration } from '../../foundation/http/route.ts';
import { skillPath } from '../addresses.ts';
import { markdownBody, markdownContentType } from '../markdown/markdown-body.ts';
import type { NewsRouteTools } from '../news-route.ts';
import { defineNewsRoute } from '../news-route.ts';

/** The skill as files, at the addresses of its own links; the folder itself returns its first file. */
export function skillRoutes(tools: NewsRouteTools): readonly RouteDeclaration[] {
  const first = skillFiles['SKILL.md'] ?? '';
  return Object.entries({ '': first, ...skillFiles }).map(([file, text]) => {
    const path = `${skillPath}${file}`;
    return defineNewsRoute(tools, {
      path,
      operationId: `getSkill_${file.replaceAll(/\W/g, '_')}`,
      tag: 'agents',
      summary: 'The skill for agents.',
      ok: { description: 'Markdown.', schema: Type.String(), example: '', contentType: markdownContentType },
      freshness: 'five-minutes',
      resource: () => ({ key: path, cacheTags: [], build: async () => markdownBody(text) }),
    });
  });
}
