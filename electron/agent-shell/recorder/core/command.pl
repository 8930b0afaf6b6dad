# What the agent wrote, out of what it hands its shell; and who the agent is.

# The shell's own argument that holds the command; undef when this is no `-c`.
sub command_argument {
  my @words = @_;
  for my $at (1 .. $#words - 1) {
    return undef unless $words[$at] =~ /^[-+]/;
    return $words[$at + 1] if $words[$at] =~ /^-[a-zA-Z]*c[a-zA-Z]*$/;
  }
  return undef;
}

# Null for what is no call of the agent's shell tool: such commands run bare.
our %command_in = (
  # source SNAPSHOT … && eval 'COMMAND' < /dev/null && pwd -P >| FILE
  'claude-code' => sub { $_[0] =~ m{(?:^|&& )eval ((?:[^\s'"\\;&|<>()]|'[^']*'|"(?:[^"\\]|\\.)*"|\\.)+)(?: \\?< ?/dev/null)? && pwd -P >\| \S+\s*\z}s ? unquote($1) : undef },
  # A script of Codex's own restores its snapshot of the shell, then starts this one.
  'codex' => sub { $_[0] =~ /__CODEX_SNAPSHOT/ ? undef : $_[0] },
  # shopt …; ( trap … EXIT; COMMAND ); __code=$?; …
  'gemini' => sub { $_[0] =~ /^shopt -u .*?\(\s*trap [^\n]*? EXIT[;\n]\s*(.*?)\s*\)[;\n]\s*__code=\$\?/s ? $1 : undef },
);

sub command_of {
  my ($agent, $given) = @_;
  return ($command_in{$agent} || sub { $_[0] })->($given);
}

sub unquote {
  my ($word) = @_;
  my $text = '';
  while ($word =~ /\G(?:([^'"\\]+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.))/gs) {
    if (defined $3) { $text .= $3 =~ s/\\([\$`"\\\n])/$1/gr }
    else { $text .= defined $1 ? $1 : defined $2 ? $2 : $4 }
  }
  return $text;
}

# The command and the words behind it that say what it does: `npm test`, not its options and paths.
sub label_of {
  my ($line) = @_;
  my @parts = grep { /\S/ } split /[;&|<>()\n]+/, $line;
  shift @parts while @parts > 1 && $parts[0] =~ /^\s*(?:cd|export|set)\s|^\s*\w+=\S*\s*$/;
  my ($name, @words) = grep { !/^\w+=/ } split ' ', $parts[0] || 'sh';
  $name = 'sh' unless defined $name;
  $name =~ s{^.*[/\\](?=.)}{};
  return join ' ', $name, grep { /^[A-Za-z][\w:.-]{0,30}$/ } splice @words, 0, 2;
}

# The agent's own name for its conversation; else the process that is the agent.
sub agent_session {
  my ($agent) = @_;
  for my $name (qw(CODEX_SESSION_ID COPILOT_AGENT_SESSION_ID CLAUDE_CODE_SESSION_ID)) {
    return $ENV{$name} if defined $ENV{$name} && $ENV{$name} =~ /^[\w.-]{1,64}$/;
  }
  my $output = readlink "/proc/$$/fd/1";
  return $1 if $agent eq 'claude-code' && defined $output && $output =~ m{/claude-\d+/[^/]+/([0-9a-f-]{36})/tasks/};
  return 'pid-' . getppid;
}

# Captures of one conversation in one project lie together.
sub session_name {
  my ($agent, $agent_session, $cwd) = @_;
  return $ENV{SPILLWAY_SESSION} if defined $ENV{SPILLWAY_SESSION} && $ENV{SPILLWAY_SESSION} ne '';
  my $project = (split '/', project_of($cwd))[-1];
  $project = 'root' unless defined $project;
  $project =~ s/[^\x20-\x7e]/_/g;
  return join ' ', $agent, $project, substr $agent_session, $agent_session =~ /^pid-/ ? 0 : -12;
}

# The nearest folder with a repository; else the working directory itself.
sub project_of {
  my ($cwd) = @_;
  for (my $folder = $cwd; $folder =~ m{^/.}; $folder =~ s{/[^/]*$}{}) {
    return $folder if -e "$folder/.git";
  }
  return $cwd;
}

# The environment as it would be without us: as the agent itself was started, in what leads here.
sub restore_environment {
  delete $ENV{PERL_BADLANG};
  for my $name (grep { /^SPILLWAY_KEPT_/ } keys %ENV) {
    $ENV{substr $name, length 'SPILLWAY_KEPT_'} = delete $ENV{$name};
  }
  my $ours = $ENV{BASH_ENV};
  my %agents;
  if (open my $file, '<:raw', '/proc/' . getppid . '/environ') {
    local $/;
    %agents = map { /^(BASH_ENV|SHLVL|_)=(.*)/s ? ($1, $2) : () } split /\0/, scalar <$file>;
    for my $name (defined $ours ? qw(SHLVL _) : '_') {
      if (defined $agents{$name}) { $ENV{$name} = $agents{$name} } else { delete $ENV{$name} }
    }
  }
  return unless defined $ours && $ours =~ m{/bin/agents/[\w-]+\.bash$};
  if (defined $agents{BASH_ENV} && $agents{BASH_ENV} ne $ours) { $ENV{BASH_ENV} = $agents{BASH_ENV} } else { delete $ENV{BASH_ENV} }
}
