import type { englishMail } from './english.ts';

const reviewAccess = `

请在安全设置页面检查并撤销访问权限：{securityUrl}

如果不是您本人操作，请在该页面撤销访问权限，并设置新密码：{forgotUrl}
`;

export const chineseMail: typeof englishMail = {
  accounts: {
    confirm_sign_up: {
      subject: '请确认您的电子邮箱',
      text: '请在 24 小时内打开以下链接确认此电子邮箱，完成 Daybook 账户注册：\n{link}\n\n如果您没有注册，请忽略此邮件，我们不会创建账户。\n',
    },
    account_exists: {
      subject: '您已有账户',
      text: '有人使用此电子邮箱注册 Daybook，但该地址已有账户。\n\n登录：{signInUrl}\n重置密码：{forgotUrl}\n',
    },
    reset_password: {
      subject: '设置新密码',
      text: '请打开以下链接为您的 Daybook 账户设置新密码。链接只能使用一次，一小时后失效：\n{link}\n\n如果不是您本人操作，请忽略此邮件，您的密码不会改变。\n',
    },
    password_changed: {
      subject: '您的密码已修改',
      text: '您的 Daybook 账户密码已修改，其他会话均已退出登录。\n\n如果不是您本人操作，请立即设置新密码：{forgotUrl}\n',
    },
    sign_in_changed: {
      subject: '您的登录设置已修改',
      text: '您的 Daybook 账户登录设置已修改。请检查可以访问您账户的凭据：{securityUrl}\n\n如果不是您本人操作，请立即设置新密码：{forgotUrl}\n',
    },
    confirm_email: {
      subject: '请确认您的新电子邮箱',
      text: '要将此电子邮箱用于您的 Daybook 账户，请在 24 小时内、登录状态下打开以下链接确认：\n{link}\n\n如果不是您本人操作，请忽略此邮件，不会有任何更改。\n',
    },
    email_taken: {
      subject: '您的电子邮箱已被使用',
      text: '有人请求将另一个 Daybook 账户的邮箱改为此地址，但该地址已有账户。没有任何更改。\n\n登录：{signInUrl}\n',
    },
    undo_email: {
      subject: '您的电子邮箱已修改',
      text: '您的 Daybook 账户电子邮箱已修改，您无法再用此地址登录。\n\n如果不是您本人操作，请在 7 天内撤销此更改。撤销后该账户的所有访问权限都会失效，您需要设置新密码：\n{link}\n',
    },
    confirm_action: {
      subject: '您的验证码是 {code}',
      text: '请输入以下验证码以{action}：\n\n{code}\n\n验证码只能使用一次，10 分钟后失效，并且只在发起请求的浏览器中有效。\n\n如果不是您本人操作，请勿透露验证码，并退出未知会话：{securityUrl}\n',
    },
    passkey_added: {
      subject: '您的账户已添加通行密钥',
      text: `您的 Daybook 账户已添加一个通行密钥，可用于登录。${reviewAccess}`,
    },
    provider_linked: {
      subject: '您的账户已关联第三方登录',
      text: `您的 Daybook 账户已关联一个第三方登录服务，可用于登录。${reviewAccess}`,
    },
    api_key_created: {
      subject: '您的账户已创建 API 密钥',
      text: `您的 Daybook 账户已创建一个 API 密钥。持有该密钥的程序可以访问您的账户。${reviewAccess}`,
    },
    platform_token_created: {
      subject: '您的账户已创建平台令牌',
      text: `您的 Daybook 账户已创建一个平台令牌。持有该令牌的程序可以访问您的组织。${reviewAccess}`,
    },
    signed_in_from_new_place: {
      subject: '您的账户有新的登录',
      text: `有人从最近 30 天内未使用过的浏览器和网络登录了您的 Daybook 账户。${reviewAccess}`,
    },
    deletion_requested: {
      subject: '您的账户将被删除',
      text: '您请求删除您的 Daybook 账户。所有访问权限均已撤销，包括通行密钥和第三方登录。账户以及没有其他成员的组织将在 30 天后删除。\n\n要取消删除，请在此之前使用密码登录：{signInUrl}\n如果您没有密码，请先设置：{forgotUrl}\n\n如果不是您本人操作，请同时设置新密码：{forgotUrl}\n',
    },
    deletion_cancelled: {
      subject: '账户删除已取消',
      text: '您的 Daybook 账户有新的登录，删除因此取消。已撤销的 API 密钥和令牌不会恢复。\n\n要删除账户，请重新提出请求：{deleteUrl}\n\n如果不是您本人登录，请立即设置新密码：{forgotUrl}\n',
    },
    account_deleted: {
      subject: '您的账户已删除',
      text: '30 天已到，您的 Daybook 账户以及没有其他成员的组织已删除。这是最后一封邮件，我们不再保存您的地址。\n',
    },
    organization_deletion_requested: {
      subject: '组织{organization}将被删除',
      text: 'Daybook 组织{organization}的一位所有者请求删除该组织。成员、令牌、共享和链接的访问权限均已停用。该组织及其文件将在 30 天后永久删除。\n\n作为所有者，您可以在此之前恢复该组织：{platformUrl}\n',
    },
    organization_deletion_cancelled: {
      subject: '组织{organization}已恢复',
      text: 'Daybook 组织{organization}的一位所有者取消了删除。成员、令牌、共享和链接恢复正常。邀请已取消，需要重新发送。\n\n组织：{platformUrl}\n',
    },
    join_organization: {
      subject: '{sender}邀请您加入 Daybook 组织{organization}',
      text: '{sender}（{email}）邀请您加入 Daybook 组织{organization}，角色为{role}。\n\n引号中的名称由发件人填写。如果您不认识发件人，请忽略此邮件。\n\n链接只能使用一次，一周后失效：\n{link}\n',
    },
  },
  roles: { owner: '所有者', admin: '管理员', member: '成员', viewer: '查看者', guest: '访客' },
  actions: {
    add_passkey: '添加通行密钥',
    change_email: '更改电子邮箱',
    switch_off_password: '移除密码',
    export_account: '下载账户数据',
    delete_account: '删除账户',
    link_provider: '关联第三方登录',
    unlink_provider: '取消关联第三方登录',
    create_api_key: '创建 API 密钥',
    delete_organization: '删除组织',
    require_second_factor: '在组织中要求两步验证',
    stop_requiring_second_factor: '在组织中取消两步验证要求',
    end_everything: '撤销账户的所有访问权限',
  },
  editions: {
    kinds: { daily: '日报', weekly: '周报' },
    kindsInSubject: { daily: '日报', weekly: '周报' },
    subject: 'Daybook {kind} {period}：{headline}',
    flashes: '快讯',
    editorsNote: '编者按',
    readOnline: '在 Daybook 上阅读',
    why: '您收到此邮件是因为您已订阅。',
    manage: '管理订阅',
    unsubscribe: '退订',
    mayBeWrong: '标题和摘要根据第三方报道生成，可能有误。',
    confirmSubject: '请确认订阅 Daybook',
    confirmText:
      '您正在订阅 Daybook {reports}。请在一周内打开以下链接确认：\n{link}\n\n如果不是您本人操作，请忽略此邮件，我们不会发送任何报告。\n',
    knownSubject: '您已经订阅了 Daybook',
    knownText: '此邮箱已订阅 Daybook {reports}。\n\n管理订阅或退订：\n{link}\n',
  },
  watch: {
    subjectOne: '1 条新资讯：{names}',
    subject: '{count} 条新资讯：{names}',
    heading: '已保存搜索的新资讯',
    more: '另有 {count} 条：{link}',
    moreLink: '另有 {count} 条',
    why: '您收到此邮件是因为您为这些已保存的搜索选择了{frequency}邮件。',
    frequencies: { hourly: '每小时', daily: '每日' },
    manage: '管理已保存的搜索',
    unsubscribe: '停止接收{frequency}邮件',
  },
  schedules: {
    nothing: '现有来源没有回答这个问题。',
    noCorrections: '自上次回答以来，没有相关的更正或撤回。',
    unanswered: '来源未回答：{question}',
    leftOut: '省略的句子：{count} 句。',
    sources: '来源',
    byQuoting: '直接引自截至 {time} 的来源，未使用语言模型。',
    byModel: '由语言模型根据截至 {time} 的来源撰写，每句都已与所引句子核对。',
    why: '您收到此邮件是因为您设置了这个定时提问。',
    manage: '管理定时提问',
  },
  errorReport: {
    subject: '读者反馈错误',
    subjectAbout: '读者反馈错误：{about}',
    text: '一位读者反馈了错误。以下文字由读者填写，未经核实。\n\n相关页面：{about}\n回复地址：{replyTo}\n\n{message}\n',
    noPage: '未指定页面',
    noAddress: '无',
  },
  sourceAlerts: {
    subjectOne: '一个信源需要处理',
    subject: '{count} 个信源需要处理',
    text: '以下信源需要处理：\n\n{sources}\n\n请前往编辑部处理：{address}\n',
    kinds: {
      silent: '长时间没有新条目',
      failing: '抓取失败超过一天',
      suspended: '已中止：连续两周未找到列表',
      stopped: '已停止：发布者删除了列表',
      busy: '条目远多于平时',
    },
  },
};
